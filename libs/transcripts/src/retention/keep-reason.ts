import { activationKey } from '../agent-meta/activation-key.js';
import { type AgentMeta, hasEnded } from '../agent-meta/agent-meta.js';

/** Why a tree stays in the log. Names are public: they stand in `offshoot archive --json`. */
export const KeepReason = Object.freeze({
  /** Its session was not closed; the subject is the session. */
  sessionOpen: 'session_open',
  /** An agent has not ended, or a run still holds it. A blocked agent has not ended. */
  agentUnfinished: 'agent_unfinished',
  /** The parent was not told of the end of an agent. */
  outcomeUndelivered: 'outcome_undelivered',
  /** The session was closed with a message that its next turn would have answered. */
  messageQueued: 'message_queued',
  /** A fact cannot be read by this release, so that nobody can say what the agent is; or there is no session on top. */
  agentUnreadable: 'agent_unreadable',
  /** It ended later than what was asked for. */
  endedRecently: 'ended_recently',
  /** An agent of another tree, which stays, inherits from it or belongs to an agent of it; the subject is that agent. */
  inheritedFrom: 'inherited_from',
  /** A reader of the log has not come past its end; the subject is the reader. */
  readerBehind: 'reader_behind',
  /** A projection is being rebuilt or examined, and would bring its rows back. */
  projectionHeld: 'projection_held',
  /** Something was recorded in it meanwhile. */
  wentOn: 'went_on',
  /** The log was not free for the moment that it takes; nothing was changed. */
  logBusy: 'log_busy',
  /** The file did not read back as what the log holds, or something of it is not what was recorded; the subject is the agent or the payload. */
  fileUnverified: 'file_unverified',
  /** The file could not be written or read; the subject is its path with what the system said. */
  fileFailed: 'file_failed',
  /** There is a file of this name that holds something else. */
  fileExists: 'file_exists',
});
export type KeepReason = (typeof KeepReason)[keyof typeof KeepReason];

export interface Kept {
  readonly reason: KeepReason;
  /** What it is about: an agent, a reader, a projection, a file. */
  readonly subject: string;
}

/**
 * Why a tree must stay, from its own agents alone; none when it has ended whole. Pure. What an ended agent had still queued is no reason:
 * nobody delivers it any more, and an import brings it back with the agent.
 */
export function reasonsToKeep(root: string, agents: readonly AgentMeta[]): readonly Kept[] {
  const byId = new Map(agents.map((agent) => [agent.agentId, agent]));
  const session = byId.get(root);
  const top: readonly Kept[] =
    session?.kind === 'session'
      ? sessionReasons(session)
      : [{ reason: KeepReason.agentUnreadable, subject: root }];
  const below = agents.filter(({ agentId }) => agentId !== root);
  return [...top, ...below.flatMap((agent) => agentReasons(agent, byId))];
}

function sessionReasons(session: AgentMeta): readonly Kept[] {
  const { agentId: subject, closed } = session;
  if (session.damage !== null) return [{ reason: KeepReason.fileUnverified, subject }];
  if (session.unreadablePolicy !== null || session.runtime === null)
    return [{ reason: KeepReason.agentUnreadable, subject }];
  if (!closed) return [{ reason: KeepReason.sessionOpen, subject }];
  if (session.status !== 'closed' || session.run !== null)
    return [{ reason: KeepReason.agentUnfinished, subject }];
  return isWaitedForIn(session) ? [{ reason: KeepReason.messageQueued, subject }] : [];
}

/** A host reads what its session is told from the stream; only a hosted session has turns that would answer. */
const isWaitedForIn = ({ hosted, pending, unanswered }: AgentMeta): boolean =>
  hosted && (pending.length > 0 || unanswered);

function agentReasons(agent: AgentMeta, tree: ReadonlyMap<string, AgentMeta>): readonly Kept[] {
  const { agentId: subject, activation, launch } = agent;
  if (agent.damage !== null) return [{ reason: KeepReason.fileUnverified, subject }];
  if (agent.unreadablePolicy !== null || launch === null)
    return [{ reason: KeepReason.agentUnreadable, subject }];
  if (!hasEnded(agent) || agent.run !== null) return [{ reason: KeepReason.agentUnfinished, subject }];
  const isTold = tree.get(launch.parentId)?.delivered.has(activationKey({ agentId: subject, activation }));
  return isTold === true ? [] : [{ reason: KeepReason.outcomeUndelivered, subject }];
}
