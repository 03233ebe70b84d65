import { type AgentBounds, parseCeiling, parseStoredPolicy, type ToolSurface } from '#policy';
import {
  type AgentMeta,
  type CallKey,
  loadMeta,
  type Runtime,
  type StreamHead,
  unansweredCalls,
} from '#transcripts';
import { lastSurface } from '../pure/bind-surface.js';
import type { LaunchTools } from './launch-request.js';

/** The launching agent as a launch sees it. */
export interface ParentSnapshot {
  readonly caller: AgentMeta;
  /** Whose history a fork inherits, as it stood there: the caller itself, unless another transcript is forked. */
  readonly source: AgentMeta;
  readonly session: AgentMeta;
  readonly sessionId: string;
  readonly runtime: Runtime;
  readonly surface: ToolSurface | null;
  /** What the fork's bootstrap points at; version 0 when there is no history yet. */
  readonly inherited: StreamHead;
  /** The turn whose batch is still open at that point. */
  readonly openTurn: number | null;
  /** Bounds of the source and of those above it, outermost first, with the agents they belong to. */
  readonly ancestors: readonly (AgentBounds & { readonly agentId: string })[];
}

/**
 * Reads what a launch needs of the launching agent. Inside a batch the history ends at the turn itself, so that every
 * sibling launched from that batch inherits the same bytes (spec 03 §3).
 */
export async function parentSnapshot(
  tools: Pick<LaunchTools, 'store' | 'current'>,
  caller: AgentMeta,
  key: CallKey | null,
  source = caller,
): Promise<ParentSnapshot> {
  const session = caller.launch === null ? caller : await currentMeta(tools, caller.launch.sessionId);
  if ([caller, session, source].some(({ unreadablePolicy }) => unreadablePolicy !== null))
    throw new UnreadableBoundsError();
  if (session.runtime === null) throw new Error(`Session ${session.agentId} has no runtime.`);
  const insideBatch = key !== null || unansweredCalls(source).length > 0;
  return {
    caller,
    source,
    session,
    sessionId: session.agentId,
    runtime: session.runtime,
    surface: lastSurface(source),
    inherited: insideBatch ? source.turnHead : source.head,
    openTurn: insideBatch ? source.turns : null,
    ancestors: ancestorsOf(source),
  };
}

/** An agent as it stands now. */
export function currentMeta(
  { store, current }: Pick<LaunchTools, 'store' | 'current'>,
  agentId: string,
): Promise<AgentMeta> {
  return current === undefined ? loadMeta(store, agentId) : current(agentId);
}

/** A fork of an agent's transcript may run no more than that agent could: its bounds are inherited with its history. */
function ancestorsOf({ agentId, launch }: AgentMeta): ParentSnapshot['ancestors'] {
  if (launch === null) return [];
  const { ancestors, policy, ceiling } = launch;
  return [...ancestors, { agentId, policy, ceiling }].map((stored) => ({
    agentId: stored.agentId,
    ...readBounds(stored),
  }));
}

/** Bounds that cannot be read permit nothing: an agent must not launch past a policy that nobody understands. */
function readBounds(stored: { policy?: unknown; ceiling?: unknown }): AgentBounds {
  const policy = parseStoredPolicy(stored.policy);
  const ceiling = parseCeiling(stored.ceiling);
  if (policy.ok && ceiling.ok) return { policy: policy.value, ceiling: ceiling.value };
  throw new UnreadableBoundsError();
}

/** An agent's own stored policy cannot be read; it may not launch anything, nor be resumed (POL-6). */
export class UnreadableBoundsError extends Error {
  readonly code = 'POLICY_UNREADABLE';
  constructor() {
    super('The policy of the agent cannot be read as stored.');
  }
}
