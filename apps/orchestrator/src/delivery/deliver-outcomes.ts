import type { ClientBase } from 'pg';
import { decodeEvent, type RecordedEvent } from '#transcripts';
import type { LogTools } from '../log/log-tools.js';
import { type DeliveryViews, isEnd, tellParent } from './tell-parent.js';
import { type UndeliveredOutcome, UndeliveredOutcomes } from './undelivered-outcomes.js';

export interface DeliveryOptions {
  /** The transaction of the reader. */
  readonly client: ClientBase;
  readonly views: DeliveryViews;
  readonly onFault: (event: RecordedEvent, thrown: unknown) => void;
}

/**
 * Tells parents of the ends of their children, from the log: each at least once here, and exactly once in the parent's history
 * (RUN-5). An outcome whose parent cannot be told is noted for `deliverAgain` and holds up no other one.
 */
export async function deliverOutcomes(
  tools: LogTools,
  events: readonly RecordedEvent[],
  { client, views, onFault }: DeliveryOptions,
): Promise<void> {
  const undelivered: UndeliveredOutcome[] = [];
  for (const record of events) {
    const event = decodeEvent(record);
    if (!isEnd(event)) continue;
    try {
      await tellParent(tools, event, views);
    } catch (thrown) {
      onFault(record, thrown);
      const { stream: agentId, version } = record;
      undelivered.push({ agentId, activation: event.data.activation, version, problem: problemOf(thrown) });
    }
  }
  // After everything else: readers of the log wait for the end of a transaction that has written.
  await UndeliveredOutcomes.note(client, undelivered);
}

export const problemOf = (thrown: unknown): string =>
  thrown instanceof Error ? thrown.message : String(thrown);
