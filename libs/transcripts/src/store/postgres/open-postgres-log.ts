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
  /** Settles open appends, then ends every connection. Stop followers first. */
  close(): Promise<void>;
}

// Appends only ever look up keys; a plan made while a table was empty must not scan it later.
const writerSession = '-c enable_seqscan=off -c jit=off';

/** Opens the log of a migrated database. Connects lazily: an unreachable database shows at the first use. */
export async function openPostgresLog(options: PostgresLogOptions): Promise<PostgresLog> {
  const { writers: writerCount = 4, readers: readerCount = 4, ...connection } = options;
  const writers = createPool({ ...connection, max: writerCount, sessionOptions: writerSession });
  const readers = createPool({ ...connection, max: readerCount, sessionOptions: '-c jit=off' });
  const wakeUp = new PostgresWakeUp(connection);
  const store = new PostgresTranscriptStore({ writers, readers, onAppended: () => wakeUp.announce() });
  await wakeUp.open();
  return {
    store,
    wakeUp,
    close: async () => {
      await store.drained();
      await wakeUp.close();
      await Promise.all([writers.end(), readers.end()]);
    },
  };
}
