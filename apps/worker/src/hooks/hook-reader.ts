import type { Logger, OffshootConfig } from '#platform';
import {
  createPool,
  inTransaction,
  readCheckpoint,
  runProjection,
  saveCheckpoint,
  takeReaderLock,
} from '#transcripts';
import type { WorkerHandles } from '../worker-handles.js';
import type { Hook, HookPorts } from './hook.js';
import { notifyHooks } from './notify-hooks.js';
import { hookPortsOf } from './ports-of-worker.js';

/** Names the checkpoint; stored, never renamed. */
const readerName = 'hooks';
/** A transaction that does nothing for longer is ended by the server; hooks may take their time. */
const keepAliveMs = 3_000;
/** Few, so that little is told again when a worker ends in the middle of a page. */
const pageSize = 20;
const startRetryMs = 1_000;

/**
 * Reads the log for the hooks that hear of agents: starts, ends and approvals. Of several workers one works for all of them. A hook hears
 * of an event at least once, also when the agent ended without a run; what happened before the first start of this reader is not told.
 */
export class HookReader {
  private readonly stopping = new AbortController();
  private readonly hooks: readonly Hook[];
  private readonly ports: HookPorts;
  private readonly logger: Logger;
  private running: Promise<void> = Promise.resolve();

  constructor(
    private readonly handles: WorkerHandles,
    config: OffshootConfig,
  ) {
    const aroundCalls = new Set(['PreToolUse', 'PostToolUse']);
    this.hooks = handles.operator.hooks.filter(({ event }) => !aroundCalls.has(event));
    this.ports = hookPortsOf(handles, config);
    this.logger = handles.logger;
  }

  start(): void {
    if (this.hooks.length > 0) this.running = this.run();
  }

  async stop(): Promise<void> {
    this.stopping.abort();
    await this.running;
  }

  private async run(): Promise<void> {
    const { databaseUrl, log } = this.handles;
    const onError = (error: unknown): void => {
      if (this.stopping.signal.aborted) return;
      this.logger.warn({ err: error, reader: readerName }, 'a reader of the log failed; it tries again');
    };
    const pool = createPool({ url: databaseUrl, max: 2, onError });
    try {
      await this.beginAtTheEnd(pool, onError);
      await runProjection({
        name: readerName,
        store: log.store,
        pool,
        wakeUp: log.wakeUp,
        signal: this.stopping.signal,
        limit: pageSize,
        onError,
        apply: async (client, events) => {
          const beat = setInterval(() => void client.query('select 1').catch(onError), keepAliveMs);
          const options = { store: log.store, hooks: this.hooks, ports: this.ports, now: () => new Date() };
          try {
            await notifyHooks(events, { ...options, signal: this.stopping.signal });
          } finally {
            clearInterval(beat);
          }
        },
      });
    } finally {
      await pool.end();
    }
  }

  /** A reader that never was begins at the end of the log: nobody is told of the past. */
  private async beginAtTheEnd(
    pool: ReturnType<typeof createPool>,
    onError: (e: unknown) => void,
  ): Promise<void> {
    while (!this.stopping.signal.aborted) {
      try {
        await inTransaction(pool, async (client) => {
          const isMine = await takeReaderLock(client, readerName);
          if (!isMine || (await readCheckpoint(client, readerName)) !== null) return;
          const end = await this.handles.log.store.logEnd();
          if (end !== null) await saveCheckpoint(client, readerName, end);
        });
        return;
      } catch (thrown) {
        onError(thrown);
        await new Promise((resolve) => void setTimeout(resolve, startRetryMs));
      }
    }
  }
}
