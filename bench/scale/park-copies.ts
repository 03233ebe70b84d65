import { newId } from '#platform';
import { NO_STREAM, openPostgresLog, type NewEvent, type RecordedEvent } from '#transcripts';

const writers = 32;

/** An agent that waits for an answer, as one append writes it: its ids stand as texts in its payloads. */
export interface ParkedAgent {
  readonly agentId: string;
  readonly approvalId: string;
  readonly records: readonly RecordedEvent[];
}

/** The stream of an agent that has parked. Throws where it has not. */
export async function readParked(url: string, agentId: string): Promise<ParkedAgent> {
  const log = await openPostgresLog({ url });
  try {
    const { events, next } = await log.store.readStream(agentId, 0);
    const asked = events.find(({ type }) => type === 'ApprovalRequested');
    if (asked === undefined || next !== null || events.at(-1)?.type !== 'RunParked')
      throw new Error('The agent to copy is not parked for an approval.');
    const { approvalId } = JSON.parse(asked.data ?? '') as { approvalId: string };
    return { agentId, approvalId, records: events };
  } finally {
    await log.close();
  }
}

/** Records so many agents that wait like `model`, each with ids of its own, through the store of the product; answers their approvals. */
export async function parkCopies(url: string, model: ParkedAgent, count: number): Promise<readonly string[]> {
  const log = await openPostgresLog({ url });
  const approvals: string[] = [];
  const writer = async (): Promise<void> => {
    while (approvals.length < count) {
      const [stream, approvalId] = [newId(), newId()];
      approvals.push(approvalId);
      const events = model.records.map((record) => copyOf(record, model, { stream, approvalId }));
      const context = { actor: 'system:bench', tenant: model.records[0]?.tenant ?? 'default' };
      const result = await log.store.append({
        stream,
        expected: NO_STREAM,
        context,
        events: nonEmpty(events),
      });
      if (!result.ok) throw new Error(`A copy was not recorded: ${result.reason}.`);
    }
  };
  try {
    await Promise.all(Array.from({ length: writers }, writer));
    return approvals;
  } finally {
    await log.close();
  }
}

function copyOf(
  { type, schema, data = '' }: RecordedEvent,
  model: ParkedAgent,
  own: { readonly stream: string; readonly approvalId: string },
): NewEvent {
  const text = data.replaceAll(model.agentId, own.stream).replaceAll(model.approvalId, own.approvalId);
  return { id: newId(), type, schema, data: text };
}

function nonEmpty([first, ...rest]: readonly NewEvent[]): readonly [NewEvent, ...NewEvent[]] {
  if (first === undefined) throw new Error('An agent has at least one event.');
  return [first, ...rest];
}
