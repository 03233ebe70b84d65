import {
  type AgentMeta,
  type CallKey,
  deliverOutcome,
  type DecodedEvent,
  decodeEvent,
  type EventData,
  type EventOf,
  executeCommand,
  type RecordedEvent,
} from '#transcripts';
import type { LogTools } from '../log/log-tools.js';
import type { FindSiblings } from '../projections/agent-roster/running-siblings.js';
import { outcomeMessage } from './outcome-message.js';

type Ended = DecodedEvent & EventOf<'AgentCompleted' | 'AgentFailed' | 'AgentCancelled'>;

/** What is told of a child and of those beside it. */
export interface DeliveryViews {
  /** The agent of an event, folded up to it at least. */
  readonly childOf: (event: RecordedEvent) => Promise<AgentMeta>;
  /** An agent as the log has it now. */
  readonly parentOf: (agentId: string) => Promise<AgentMeta>;
  readonly siblings: FindSiblings;
}

const ends: ReadonlySet<string> = new Set<Ended['type']>(['AgentCompleted', 'AgentFailed', 'AgentCancelled']);

/** False for an event that ends no agent. */
export const concernsDelivery = ({ type }: RecordedEvent): boolean => ends.has(type);

export function isEnd(event: ReturnType<typeof decodeEvent>): event is Ended {
  return ends.has(event.type);
}

/**
 * Tells the parent of an agent of its end: deduplicated by agent and activation in the decision, so exactly once in the parent's
 * history, however often this is tried (RUN-5). Throws where the parent cannot be told, or what has to be told cannot be read.
 */
export async function tellParent(
  tools: LogTools,
  event: Ended,
  { childOf, parentOf, siblings }: DeliveryViews,
): Promise<void> {
  const child = await childOf(event.record);
  if (child.launch === null) return;
  const { activation, outcome } = event.data;
  const text = outcomeMessage({
    agentId: child.agentId,
    description: child.launch.description,
    outcome,
    usage: child.usage,
    turns: child.turns,
    siblings: await siblings(child.launch.parentId, child.agentId),
  });
  const context = { actor: 'system:delivery', tenant: event.record.tenant, causation: event.record.id };
  const command = {
    agentId: child.agentId,
    activation,
    text,
    awaitedBy: awaitedBy(child.launch, activation),
    completed: outcome.status === 'completed',
    durationMs: Math.max(0, Date.parse(event.record.recordedAt) - Date.parse(child.createdAt)),
  };
  const { parentId } = child.launch;
  const told = await executeCommand(tools, {
    stream: parentId,
    context,
    from: await parentOf(parentId),
    decide: (parent) => deliverOutcome(command, parent),
  });
  if (!told.ok)
    throw new Error(`The outcome of agent ${child.agentId} could not be delivered: ${told.message}`);
}

/** The call that waits for this outcome. A later activation began with a message, so no call waits for it. */
function awaitedBy(launch: EventData<'AgentLaunched'>, activation: number): CallKey | null {
  return launch.background || activation > 1 ? null : launch.call;
}
