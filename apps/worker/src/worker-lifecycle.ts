import { type BeforeApplicationShutdown, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { type JobWorker, type Logger, WorkerPresence } from '#platform';
import { browserPoolOf } from './browser/pool-of-worker.js';
import { HookReader } from './hooks/hook-reader.js';
import { AgentProcessor } from './jobs/agent.processor.js';
import { mcpPoolOf } from './mcp/pool-of-worker.js';
import { RunHost } from './run/run-host.js';
import { watchRuns } from './run/watch-runs.js';
import { WorkerHandles } from './worker-handles.js';

/** How long runs may take to reach a boundary when the worker is told to end. */
const drainGraceMs = 5_000;

/**
 * Starts and stops a worker in one order. Start: life sign, then jobs. Stop: no more jobs, runs to their next boundary or cut
 * off, MCP servers and browser ended, life sign gone, connections closed. A worker that lost its life sign abandons its runs and writes nothing for them.
 */
@Injectable()
export class WorkerLifecycle implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger: Logger;
  private readonly stopping = new AbortController();
  private readonly presence: WorkerPresence;
  private jobs: JobWorker | null = null;
  private watching: Promise<void> = Promise.resolve();

  constructor(
    private readonly handles: WorkerHandles,
    private readonly host: RunHost,
    private readonly processor: AgentProcessor,
    private readonly hooks: HookReader,
  ) {
    this.logger = handles.logger;
    this.presence = new WorkerPresence({
      databaseUrl: handles.databaseUrl,
      workerId: handles.workerId,
      capacity: handles.concurrency,
      provesProgress: () => true,
      onLost: (loss) => this.onLost(loss),
      onFault: (error) =>
        this.logger.warn({ err: error }, 'the life sign was not renewed; it is tried again'),
    });
    handles.mayRun = () => this.presence.holds();
  }

  async onApplicationBootstrap(): Promise<void> {
    const { queue, log, concurrency } = this.handles;
    await this.presence.start();
    this.watching = watchRuns(
      this.host,
      { store: log.store, wakeUp: log.wakeUp },
      this.stopping.signal,
      (thrown) => this.logger.warn({ err: thrown }, 'the look at the held agents failed; it is repeated'),
    );
    this.hooks.start();
    this.jobs = await queue.createWorker('agents', (job) => this.processor.process(job), { concurrency });
    this.logger.info({ worker: this.handles.workerId, concurrency }, 'the worker takes agents');
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.jobs?.stopTaking();
    await this.host.drainAll(drainGraceMs);
    this.stopping.abort();
    await this.watching;
    await this.jobs?.close(0);
    await this.hooks.stop();
    await Promise.all([mcpPoolOf(this.handles).close(), browserPoolOf(this.handles)?.close()]);
    await this.presence.stop();
    await this.handles.close();
  }

  private onLost(loss: 'lease_over' | 'declared_dead'): void {
    this.logger.error({ worker: this.handles.workerId, loss }, 'the life sign is lost; runs are abandoned');
    this.host.abandonAll(`The worker lost its life sign (${loss}).`);
    // A dead id stays dead: the supervisor starts a fresh process under a fresh one.
    if (loss === 'declared_dead') process.exit(3);
  }
}
