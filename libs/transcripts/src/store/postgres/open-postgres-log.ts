import { createPool } from './create-pool.js';
import { PostgresTranscriptStore } from './postgres-transcript-store.js';
import { PostgresWakeUp } from './postgres-wake-up.js';

export interface PostgresLogOptions {
  readonly url: string;
  readonly applicationName?: string;
  /** Connections for appends and for reads; 4 and 4 when not said, and one more for wake-ups. */
  readonly writers?: number;
  readonly readers?: number;
  readonly onError?: (error: Error) => void;
}

/** An open log: its store, and the wake-up that followers of the process share. */
export interface PostgresLog {
  readonly store: PostgresTranscriptStore;
  readonly wakeUp: PostgresWakeUp;
  /** Settles open appends, then ends every connection; once, however often called. Stop followers first. */
  close(): Promise<void>;
}

/**
 * Session settings of the store's pools. Its statements look up keys or walk an index in order; a plan that scans or
 * sorts, made while a table was small or its statistics old, must not be what a large log is read with. There is nothing
 * for a plan to learn from parameters either: planning an append anew takes longer than running it.
 */
export const logSession =
  '-c enable_seqscan=off -c enable_bitmapscan=off -c jit=off -c plan_cache_mode=force_generic_plan';

/** Opens the log of a migrated database. Connects lazily: an unreachable database shows at the first use. */
export async function openPostgresLog(options: PostgresLogOptions): Promise<PostgresLog> {
  const { writers: writerCount = 4, readers: readerCount = 4, ...connection } = options;
  const writers = createPool({ ...connection, max: writerCount, sessionOptions: logSession });
  const readers = createPool({ ...connection, max: readerCount, sessionOptions: logSession });
  const wakeUp = new PostgresWakeUp(connection);
  const store = new PostgresTranscriptStore({ writers, readers, onAppended: () => wakeUp.announce() });
  await wakeUp.open();
  const end = async (): Promise<void> => {
    await store.drained();
    await wakeUp.close();
    await Promise.all([writers.end(), readers.end()]);
  };
  let closing: Promise<void> | null = null;
  return { store, wakeUp, close: () => (closing ??= end()) };
}
