import type { Pool } from 'pg';
import { jobId, type JobQueue, type QueuedJob } from '#platform';
import { takeDue } from './take-due.js';

/** The queue that carries agents to workers. */
export const agentQueue = 'agents';

/** A dispatch that nobody claimed in this time is sent again. */
const resendAfterMs = 3_000;

/** How many agents may be at work at once; null and absent models are not limited (spec 04 §6). */
export interface ConcurrencyLimits {
  readonly perSession: number | null;
  readonly perModel: ReadonlyMap<string, number>;
}

interface DueRow {
  readonly agent_id: string;
  readonly epoch: number;
  readonly number: number;
  readonly was_sent: boolean;
  readonly turn: number;
}

const countUp = 'update dispatch set number = number + 1 where agent_id = any($1::uuid[])';
const sendAgain =
  'update dispatch set enqueued_at = null where agent_id = any($1::uuid[]) and enqueued_at is not null';

/**
 * Turns waiting agents into queue jobs (spec 03 §5), fairly between sessions and within the limits (spec 04 §6). Nothing is lost with the queue: a dispatch that no claim follows is sent
 * again, under the same id while the queue still has a backlog (which then keeps or restores it), else under the next
 * number (a job that died between pick-up and claim still owns its id).
 */
export class Dispatcher {
  constructor(
    private readonly pool: Pool,
    private readonly queue: JobQueue,
    private readonly limits: ConcurrencyLimits,
  ) {}

  /** Sends what is due and has room; what has none waits for the next claim or end, which wakes the dispatcher. */
  async sendDue(): Promise<void> {
    const { perSession, perModel } = this.limits;
    const { rows } = await this.pool.query<DueRow>({
      name: 'dispatch-take',
      text: takeDue,
      values: [resendAfterMs / 1000, perSession, JSON.stringify(Object.fromEntries(perModel))],
    });
    if (rows.length === 0) return;
    rows.sort((a, b) => a.turn - b.turn || (a.agent_id < b.agent_id ? -1 : 1));
    const hasBacklog = rows.some((row) => row.was_sent) && (await this.hasBacklog());
    const renumbered = hasBacklog ? [] : rows.filter((row) => row.was_sent).map((row) => row.agent_id);
    if (renumbered.length > 0) await this.pool.query(countUp, [renumbered]);
    const sent = await this.queue.enqueue(...rows.map((row) => jobOf(row, row.was_sent && !hasBacklog)));
    if (!sent.ok) await this.pool.query(sendAgain, [rows.map((row) => row.agent_id)]);
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
