import {
  type CallKey,
  deliverOutcome,
  type DecodedEvent,
  decodeEvent,
  type EventData,
  type EventOf,
  executeCommand,
  loadMeta,
  type RecordedEvent,
} from '#transcripts';
import type { LogTools } from '../log/log-tools.js';
import type { FindSiblings } from '../projections/agent-roster/running-siblings.js';
import { outcomeMessage } from './outcome-message.js';

type Ended = DecodedEvent & EventOf<'AgentCompleted' | 'AgentFailed' | 'AgentCancelled'>;

/**
 * Tells parents of the ends of their children, from the log: at least once here, deduplicated by agent and activation in the
 * decision, so exactly once in the parent's history (RUN-5).
 */
export async function deliverOutcomes(
  tools: LogTools,
  events: readonly RecordedEvent[],
  siblings: FindSiblings,
): Promise<void> {
  for (const record of events) {
    const event = decodeEvent(record);
    if (isEnd(event)) await deliver(tools, event, siblings);
  }
}

function isEnd(event: ReturnType<typeof decodeEvent>): event is Ended {
  return event.type === 'AgentCompleted' || event.type === 'AgentFailed' || event.type === 'AgentCancelled';
}

async function deliver(tools: LogTools, event: Ended, siblings: FindSiblings): Promise<void> {
  const child = await loadMeta(tools.store, event.record.stream);
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
  const told = await executeCommand(tools, {
    stream: child.launch.parentId,
    context,
    decide: (parent) => deliverOutcome(command, parent),
  });
  if (!told.ok)
    throw new Error(`The outcome of agent ${child.agentId} could not be delivered: ${told.message}`);
}

/** The call that waits for this outcome. A later activation began with a message, so no call waits for it. */
function awaitedBy(launch: EventData<'AgentLaunched'>, activation: number): CallKey | null {
  return launch.background || activation > 1 ? null : launch.call;
}
