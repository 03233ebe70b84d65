import type { Pool } from 'pg';
import type { Logger, QueueBackend } from '#platform';
import type { PostgresLog, SharedPages } from '#transcripts';
import type { KeyKeeper } from '../auth/key-keeper.js';
import type { ConcurrencyLimits } from '../dispatch/dispatcher.js';
import type { RequestsUnderWay } from '../http/requests-under-way.js';
import type { LogTools } from '../log/log-tools.js';
import type { MetaCache } from '../log/meta-cache.js';

interface Handles {
  readonly log: PostgresLog;
  readonly pool: Pool;
  readonly queue: QueueBackend;
  readonly tools: LogTools;
  readonly pages: SharedPages;
  readonly cache: MetaCache;
  readonly logger: Logger;
  readonly databaseUrl: string;
  readonly concurrency: ConcurrencyLimits;
  readonly keys: KeyKeeper;
  readonly requests: RequestsUnderWay;
}

/** Connections and tools of this process, and the order in which they are given back. Also the injection token. */
export class OrchestratorHandles {
  readonly pool: Pool;
  readonly queue: QueueBackend;
  readonly tools: LogTools;
  readonly pages: SharedPages;
  readonly cache: MetaCache;
  readonly logger: Logger;
  readonly databaseUrl: string;
  readonly concurrency: ConcurrencyLimits;
  readonly keys: KeyKeeper;
  readonly requests: RequestsUnderWay;
  private readonly log: PostgresLog;

  constructor(handles: Handles) {
    this.log = handles.log;
    this.pool = handles.pool;
    this.queue = handles.queue;
    this.tools = handles.tools;
    this.pages = handles.pages;
    this.cache = handles.cache;
    this.logger = handles.logger;
    this.databaseUrl = handles.databaseUrl;
    this.concurrency = handles.concurrency;
    this.keys = handles.keys;
    this.requests = handles.requests;
  }

  get wakeUp() {
    return this.log.wakeUp;
  }

  async close(): Promise<void> {
    await this.queue.close();
    await this.log.close();
    await this.pool.end();
  }
}
