import type pg from 'pg';
import { openSidePool, type SidePoolOptions } from '../pauses/side-pool.js';

/**
 * What a worker notes beside the log, because no run of its own may record it. Every method rejects when the database does not answer
 * within a second.
 */
export class WorkerNotes {
  private readonly pool: pg.Pool;

  constructor(
    private readonly workerId: string,
    options: SidePoolOptions,
  ) {
    this.pool = openSidePool(options);
  }

  /**
   * This worker takes a job that was sent or taken before: one that kills every worker before it is claimed is found by these notes, which are
   * gone with the claim. A first taking need not be noted.
   */
  async tries({ agentId, epoch }: { readonly agentId: string; readonly epoch: number }): Promise<void> {
    await this.pool.query({
      name: 'worker-notes-tries',
      text: `update dispatch set tried_by = array_append(tried_by, $3::uuid)
             where agent_id = $1 and epoch = $2 and not is_running and not $3::uuid = any(tried_by)`,
      values: [agentId, epoch, this.workerId],
    });
  }

  /** The result of a call came after its run was stopped, and was dropped (field case L17). */
  async lateResult(tenant: string): Promise<void> {
    await this.pool.query({
      name: 'worker-notes-late',
      text: `insert into late_result (worker_id, tenant, results) values ($1, $2, 1)
             on conflict (worker_id, tenant) do update set results = late_result.results + 1`,
      values: [this.workerId, tenant],
    });
  }

  close(): Promise<void> {
    return this.pool.end();
  }
}
