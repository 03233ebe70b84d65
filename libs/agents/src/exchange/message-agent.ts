import { type Ceiling, ceilingOf, narrowCeiling, parseCeiling } from '#policy';
import {
  type AgentMeta,
  type CommandResult,
  type CommandTools,
  damageRefusal,
  type Decision,
  type EventContext,
  executeCommand,
  hasEnded,
  type IdempotencyClaim,
  loadMeta,
  queueMessage,
  resumeAgent,
} from '#transcripts';
import { UnreadableBoundsError } from '../launch/parent-snapshot.js';

export interface MessageRequest {
  /** Whom it is for, as far as it is known. */
  readonly agent: AgentMeta;
  readonly text: string;
  /** `key:<id>` or `agent:<id>`. */
  readonly from: string;
  readonly context: EventContext;
  readonly idempotency?: IdempotencyClaim;
}

export type MessageResult =
  CommandResult | { readonly ok: false; readonly code: 'POLICY_UNREADABLE'; readonly message: string };

/**
 * The one way in which a message gets to an agent, for HTTP and the `send_message` tool alike. A live agent gets it at its next
 * boundary; an ended one is resumed by it, under the stored ceiling narrowed by the session's current mode (spec 02 §5).
 * Whether the sender may reach the agent is the caller's to judge.
 */
export async function messageAgent(tools: CommandTools, request: MessageRequest): Promise<MessageResult> {
  const { agent, text, from, context, idempotency } = request;
  const session = await sessionOf(tools, agent);
  // What it says last is not known: neither the mode that a resumption is gated by, nor whether anything below it may go on.
  const damage = damageRefusal(session);
  if (damage !== null && session.agentId !== agent.agentId) return damage;
  const mode = session.runtime?.workflowMode ?? 'off';
  const message = { messageId: tools.newId(), from, text };
  const decide = (meta: AgentMeta): Decision =>
    hasEnded(meta)
      ? resumeAgent({ message, mode, ceiling: resumedCeiling(meta, mode) }, meta)
      : queueMessage(message, meta);
  const claim = idempotency === undefined ? {} : { idempotency };
  try {
    return await executeCommand(tools, { stream: agent.agentId, from: agent, context, decide, ...claim });
  } catch (thrown) {
    if (!(thrown instanceof UnreadableBoundsError)) throw thrown;
    return { ok: false, code: thrown.code, message: thrown.message };
  }
}

const sessionOf = async ({ store }: CommandTools, agent: AgentMeta): Promise<AgentMeta> =>
  agent.launch === null ? agent : loadMeta(store, agent.launch.sessionId);

/** Ceilings only shrink. One that cannot be read permits nothing, resuming neither (POL-6). */
function resumedCeiling({ launch }: AgentMeta, mode: string): Ceiling {
  const stored = parseCeiling(launch?.ceiling);
  if (!stored.ok) throw new UnreadableBoundsError();
  return narrowCeiling(stored.value, ceilingOf(mode));
}
