import type { Pool } from 'pg';
import { sealAppend } from '../../store/seal-append.js';
import type { AppendRequest } from '../../store/transcript-store.js';
import type { FileRecord } from '../tree-records.js';
import { recordTree } from './record-tree.js';

/** unique_violation */
const taken = '23505';

/**
 * Records appends to several streams in one transaction, with the time at which they happened elsewhere. False, and nothing recorded, when one
 * of the streams is not where its append expects it. Throws `UnstorableAppendError`.
 */
export async function recordAppends(
  pool: Pool,
  appends: readonly AppendRequest[],
  recordedAt: string,
  newId: () => string,
): Promise<boolean> {
  const events = appends.flatMap((append) => recorded(append, recordedAt));
  const upTo = new Map(events.map(({ event }) => [event.stream, event.version]));
  try {
    await recordTree(pool, { pages: pageOf(events), upTo, torn: new Set(), newId });
    return true;
  } catch (thrown) {
    if (thrown instanceof Error && 'code' in thrown && thrown.code === taken) return false;
    throw thrown;
  }
}

function recorded(append: AppendRequest, recordedAt: string) {
  const { events, context, stream } = sealAppend(append);
  const place = { generation: 1, xid: 0n, position: 0n };
  return events.map((event) => ({
    kind: 'event' as const,
    event: { ...event, ...context, stream, recordedAt, place },
    claim: null,
  }));
}

async function* pageOf(records: readonly FileRecord[]): AsyncGenerator<readonly FileRecord[], void> {
  yield await Promise.resolve(records);
}
