import { setTimeout as pause } from 'node:timers/promises';
import type pg from 'pg';
import { livingWorkersSql } from '../presence/living-workers.js';
import { openSidePool, type SidePoolOptions } from './side-pool.js';

/** Between two looks of one who waits. */
const lookAgainMs = 200;

const askText = `
  with lapsed as (delete from model_request where lapses_at <= statement_timestamp())
  insert into model_request (id, model, worker_id, lapses_at)
  values (gen_random_uuid(), $1, $2, clock_timestamp() + $3 * interval '1 millisecond') returning id`;
const doneText = 'delete from model_request where id = $1';
/** Requests that count: of a living worker, and within the time that was asked for. */
export const countedRequestsSql = `
  select request.id, request.model, request.asked_at from model_request request
  join (${livingWorkersSql}) living on living.id = request.worker_id where request.lapses_at > statement_timestamp()`;
/** Held by whoever sends agents to workers while it counts. */
const lockText = 'select pg_advisory_xact_lock(1767000700)';
const isNextText = `
  select (select count(*) from dispatch where model = $1 and (is_running or enqueued_at is not null))
    + (select count(*) from (${countedRequestsSql}) other
       where other.model = $1 and (other.asked_at, other.id) <= (mine.asked_at, mine.id)) <= $3 as may_go
  from model_request mine where mine.id = $2`;

export interface PlaceTerms {
  /** How many requests and agents at once, over all workers. */
  readonly limit: number;
  /** After this time a place counts no more, also when it was never given back. */
  readonly holdMs: number;
}

/**
 * Places for requests to a model that no agent at work stands for, under the limit that agents at work are held to: a request waits until there
 * are fewer of both, in the order of asking, and the dispatcher leaves those that wait their place. Those of a dead worker count no more.
 */
export class ModelPlaces {
  private readonly pool: pg.Pool;

  constructor(
    private readonly workerId: string,
    options: SidePoolOptions,
  ) {
    this.pool = openSidePool(options);
  }

  /**
   * Waits for a place; what it answers gives it back. Rejects with the reason of the signal, and when the database does not answer within
   * a second; nothing is held then.
   */
  async take(
    model: string,
    { limit, holdMs }: PlaceTerms,
    signal: AbortSignal,
  ): Promise<() => Promise<void>> {
    signal.throwIfAborted();
    const { rows } = await this.pool.query<{ id: string }>(askText, [model, this.workerId, holdMs]);
    const id = rows[0]?.id ?? '';
    const release = async (): Promise<void> => {
      await this.pool.query(doneText, [id]);
    };
    try {
      while (!(await this.mayGo(model, id, limit))) await pause(lookAgainMs, undefined, { signal });
      return release;
    } catch (thrown) {
      await release().catch(() => undefined);
      throw signal.aborted ? (signal.reason as unknown) : thrown;
    }
  }

  close(): Promise<void> {
    return this.pool.end();
  }

  private async mayGo(model: string, id: string, limit: number): Promise<boolean> {
    const client = await this.pool.connect();
    try {
      await client.query('begin');
      // A statement of its own, so that the next one sees what was sent until the lock was free.
      await client.query(lockText);
      const { rows } = await client.query<{ may_go: boolean }>(isNextText, [model, id, limit]);
      await client.query('commit');
      client.release();
      return rows[0]?.may_go === true;
    } catch (thrown) {
      client.release(true);
      throw thrown;
    }
  }
}
