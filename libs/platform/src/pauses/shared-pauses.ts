import type pg from 'pg';
import { openSidePool, type SidePoolOptions } from './side-pool.js';

/**
 * Pauses that all processes over one database share: a key that one of them was sent away with is left alone by the others. Kept
 * in the database and by its clock. Every method rejects when the database does not answer within a second.
 */
export class SharedPauses {
  private readonly pool: pg.Pool;

  constructor(options: SidePoolOptions) {
    this.pool = openSidePool(options);
  }

  /** Milliseconds that a key must still stay away; 0 when it may go. */
  async leftMs(key: string): Promise<number> {
    const { rows } = await this.pool.query<{ left_ms: number }>({
      name: 'provider-pause-left',
      text: `select ceil(extract(epoch from paused_until - clock_timestamp()) * 1000)::float8 as left_ms
             from provider_pause where key = $1`,
      values: [key],
    });
    return Math.max(0, rows[0]?.left_ms ?? 0);
  }

  /** Nobody uses the key for `delayMs` from now; a pause that ends later stays. */
  async extend(key: string, delayMs: number): Promise<void> {
    await this.pool.query({
      name: 'provider-pause-extend',
      text: `insert into provider_pause (key, paused_until)
             values ($1, clock_timestamp() + $2 * interval '1 millisecond')
             on conflict (key) do update
             set paused_until = greatest(provider_pause.paused_until, excluded.paused_until)`,
      values: [key, delayMs],
    });
  }

  close(): Promise<void> {
    return this.pool.end();
  }
}
