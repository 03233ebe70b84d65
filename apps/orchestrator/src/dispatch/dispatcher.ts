import type { Pool } from 'pg';
import { jobId, type JobQueue, type QueuedJob } from '#platform';

/** The queue that carries agents to workers. */
export const agentQueue = 'agents';

/** A dispatch that nobody claimed in this time is sent again. */
const resendAfterMs = 3_000;
const batchSize = 500;

interface DueRow {
  readonly agent_id: string;
  readonly epoch: number;
  readonly number: number;
  readonly was_sent: boolean;
}

/** Rows are taken with a lock that other orchestrators skip, so that one of them sends each. */
const takeDue = `
  update dispatch set enqueued_at = clock_timestamp() from (
    select agent_id, enqueued_at is not null as was_sent from dispatch
    where enqueued_at is null or enqueued_at < clock_timestamp() - make_interval(secs => $1)
    order by enqueued_at nulls first, agent_id limit $2 for update skip locked) as due
  where dispatch.agent_id = due.agent_id
  returning dispatch.agent_id, dispatch.epoch, dispatch.number, due.was_sent`;
const countUp = 'update dispatch set number = number + 1 where agent_id = any($1::uuid[])';
const sendAgain =
  'update dispatch set enqueued_at = null where agent_id = any($1::uuid[]) and enqueued_at is not null';

/**
 * Turns waiting agents into queue jobs (spec 03 §5). Nothing is lost with the queue: a dispatch that no claim follows is sent
 * again, under the same id while the queue still has a backlog (which then keeps or restores it), else under the next
 * number (a job that died between pick-up and claim still owns its id).
 */
export class Dispatcher {
  constructor(
    private readonly pool: Pool,
    private readonly queue: JobQueue,
  ) {}

  /** Sends what is due. Answers true when there may be more at once. */
  async sendDue(): Promise<boolean> {
    const { rows } = await this.pool.query<DueRow>({
      name: 'dispatch-take',
      text: takeDue,
      values: [resendAfterMs / 1000, batchSize],
    });
    if (rows.length === 0) return false;
    const hasBacklog = rows.some((row) => row.was_sent) && (await this.hasBacklog());
    const renumbered = hasBacklog ? [] : rows.filter((row) => row.was_sent).map((row) => row.agent_id);
    if (renumbered.length > 0) await this.pool.query(countUp, [renumbered]);
    const sent = await this.queue.enqueue(...rows.map((row) => jobOf(row, row.was_sent && !hasBacklog)));
    if (!sent.ok) await this.pool.query(sendAgain, [rows.map((row) => row.agent_id)]);
    return sent.ok && rows.length === batchSize;
  }

  private async hasBacklog(): Promise<boolean> {
    try {
      return (await this.queue.depth()).waiting > 0;
    } catch {
      return false;
    }
  }
}

function jobOf(row: DueRow, isRenumbered: boolean): QueuedJob {
  const { agent_id: agentId, epoch } = row;
  return { id: jobId(agentId, epoch, row.number + (isRenumbered ? 1 : 0)), payload: { agentId, epoch } };
}
