import type { Pool } from 'pg';
import { decodeEvent, type RecordedEvent } from '#transcripts';
import type { LogTools } from '../log/log-tools.js';
import type { MetaCache } from '../log/meta-cache.js';
import { siblingsOver } from '../projections/agent-roster/running-siblings.js';
import { problemOf } from './deliver-outcomes.js';
import { isEnd, tellParent } from './tell-parent.js';
import type { UndeliveredOutcome, UndeliveredOutcomes } from './undelivered-outcomes.js';

export interface DeliverAgainOptions {
  readonly pool: Pool;
  readonly cache: MetaCache;
  readonly onFault: (outcome: UndeliveredOutcome, thrown: unknown) => void;
}

/**
 * Tries what could not be delivered again, each when it is due. Several orchestrators may do so at once: the parent is told once.
 * An agent that is not here any more has nobody to tell of.
 */
export async function deliverAgain(
  tools: LogTools,
  undelivered: UndeliveredOutcomes,
  options: DeliverAgainOptions,
): Promise<void> {
  for (const outcome of await undelivered.due()) {
    try {
      const { agentId, version } = outcome;
      const [event] = (await tools.store.readStream(agentId, version - 1, 1)).events;
      if (event !== undefined) await tell(tools, event, options);
    } catch (thrown) {
      options.onFault(outcome, thrown);
      await undelivered.triedInVain(outcome, problemOf(thrown));
      continue;
    }
    await undelivered.done(outcome);
  }
}

async function tell(
  tools: LogTools,
  record: RecordedEvent,
  { pool, cache }: DeliverAgainOptions,
): Promise<void> {
  const event = decodeEvent(record);
  if (!isEnd(event)) return;
  await tellParent(tools, event, {
    childOf: (of) => cache.at(of),
    parentOf: tools.current,
    siblings: siblingsOver(pool),
  });
}
