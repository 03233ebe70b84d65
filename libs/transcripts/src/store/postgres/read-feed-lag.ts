import { queryText, type SqlClient } from './sql-client.js';

/** A transaction that holds the readers of the log back, in whatever database of the server it runs. */
export interface HorizonHolder {
  /** Process id of its backend; `null` for a prepared transaction, which has none. */
  readonly pid: number | null;
  /** Name in `pg_stat_activity`, or the identifier of a prepared transaction. */
  readonly application: string;
  readonly database: string;
  /** As PostgreSQL names it, such as `idle in transaction`; `prepared` for a prepared transaction. */
  readonly state: string;
  readonly openForMs: number;
}

export interface FeedLag {
  /** How long the oldest event that no reader may have yet has been recorded; 0 when nothing is held back. */
  readonly heldForMs: number;
  /** Who holds it back: the oldest transaction that has an id; `null` when there is none. */
  readonly holder: HorizonHolder | null;
  /** Each reader with a checkpoint, and for how long the first event that it has not applied has been recorded; 0 at the end. */
  readonly readers: readonly { readonly name: string; readonly behindMs: number }[];
}

const heldText = `select extract(epoch from clock_timestamp() - recorded_at) * 1000 as ms from event
where (generation, xid, position) >= ((select max(generation) from log_generation), pg_snapshot_xmin(pg_current_snapshot()), 0::bigint)
order by generation, xid, position limit 1`;

// Ages, not ids: they are compared right also when the counter has wrapped around.
const holderText = `select pid, application, database, state,
  extract(epoch from clock_timestamp() - since) * 1000 as ms from (
    select pid, application_name as application, datname as database, coalesce(state, 'unknown') as state,
      xact_start as since, age(backend_xid) as age
    from pg_stat_activity where backend_xid is not null and pid <> pg_backend_pid()
    union all
    select null, gid, database, 'prepared', prepared, age(transaction) from pg_prepared_xacts) open
order by age desc limit 1`;

const readersText = `select reader, (select extract(epoch from clock_timestamp() - e.recorded_at) * 1000 from event e
  where (e.generation, e.xid, e.position) > (c.generation, c.xid, c.position)
  order by e.generation, e.xid, e.position limit 1) as ms
from checkpoint c order by reader`;

interface HolderRow {
  readonly pid: string | null;
  readonly application: string | null;
  readonly database: string | null;
  readonly state: string;
  readonly ms: string | null;
}

/** How far the readers of the log are behind what is recorded, and which backend causes it (spec 03 §2). */
export async function readFeedLag(client: SqlClient): Promise<FeedLag> {
  const [holder] = await queryText<HolderRow>(client, 'feed-holder', holderText, []);
  const [held] = await queryText<{ readonly ms: string }>(client, 'feed-held', heldText, []);
  interface ReaderRow {
    readonly reader: string;
    readonly ms: string | null;
  }
  const readers = await queryText<ReaderRow>(client, 'feed-readers', readersText, []);
  return {
    heldForMs: milliseconds(held?.ms),
    holder: holder === undefined ? null : holderOf(holder),
    readers: readers.map(({ reader, ms }) => ({ name: reader, behindMs: milliseconds(ms) })),
  };
}

function holderOf({ pid, application, database, state, ms }: HolderRow): HorizonHolder {
  return {
    pid: pid === null ? null : Number(pid),
    application: application ?? '',
    database: database ?? '',
    state,
    openForMs: milliseconds(ms),
  };
}

/** Whole, and never below zero: two clock readings of one statement may be out of order. */
function milliseconds(text: string | null | undefined): number {
  return Math.max(0, Math.round(Number(text ?? 0)));
}
