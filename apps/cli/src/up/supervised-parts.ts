import type { SupervisedChild } from './supervised-child.js';
import type { SupervisedDatabase } from './supervised-database.js';
import type { SupervisorPids } from './supervisor-pids.js';

/** What has been started so far; stopping takes it down in order, however far the start came. */
export class SupervisedParts {
  database: SupervisedDatabase | undefined;
  modelServer: SupervisedChild | undefined;
  orchestrator: SupervisedChild | undefined;
  readonly workers: SupervisedChild[] = [];
  readonly #stopLimitMs: number;

  constructor(stopLimitMs: number) {
    this.#stopLimitMs = stopLimitMs;
  }

  pids(): SupervisorPids {
    return {
      supervisor: process.pid,
      ...pidField('database', this.database?.pid()),
      ...pidField('orchestrator', this.orchestrator?.pid),
      ...pidField('modelServer', this.modelServer?.pid),
      workers: this.workers.map((worker) => worker.pid).filter((pid) => pid !== undefined),
    };
  }

  /** Workers first, because they hand back what they hold through the other parts; the database last. */
  async stop(): Promise<void> {
    const limit = this.#stopLimitMs;
    await Promise.all(this.workers.map((worker) => worker.stop(limit)));
    await this.orchestrator?.stop(limit);
    await this.modelServer?.stop(limit);
    await this.database?.stop('fast');
  }

  /** Everything at once; the database recovers on its next start. */
  async stopNow(): Promise<void> {
    const others = [this.orchestrator, this.modelServer].filter((child) => child !== undefined);
    await Promise.all([...this.workers, ...others].map((child) => child.kill()));
    await this.database?.stop('immediate');
  }
}

function pidField<Name extends string>(name: Name, pid: number | undefined): { [K in Name]?: number } {
  const field: { [K in Name]?: number } = {};
  if (pid !== undefined) field[name] = pid;
  return field;
}
