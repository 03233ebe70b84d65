import type { Pool, PoolClient } from 'pg';
import { takeShadowLock } from '../../checkpoints/postgres/checkpoints.js';
import type { LogPlace, StreamHead } from '../../events/recorded-event.js';
import { readLogEnd } from '../../store/postgres/read-log.js';
import { inTransaction } from '../../store/postgres/in-transaction.js';
import { byteaArray, intArray, uuidArray } from '../../store/postgres/binary-array.js';
import { queryText, type SqlClient } from '../../store/postgres/sql-client.js';
import { type Kept, KeepReason } from '../keep-reason.js';
import { pointersSince } from './find-pointers.js';
import { hiddenPictures, noteLeftovers } from './hidden-pictures.js';
import { isLockTimeout, lockLog } from './lock-log.js';

/** A column of a table beside the log that names an agent: its rows go when the agent does. */
export interface AgentColumn {
  readonly table: string;
  readonly column: string;
}

export interface DropTools {
  /** Pool for the transaction; not the store's own. */
  readonly pool: Pool;
  readonly columns: readonly AgentColumn[];
  /** Readers that must have come past the tree, also when they never saved a checkpoint; others only when they did. */
  readonly readers: readonly string[];
  /** Projections that must not be rebuilt or compared meanwhile. */
  readonly projections: readonly string[];
  /** Hears of each step in the order of the transaction; for specs that stop it in the middle. */
  readonly onStep?: (step: DropStep) => Promise<void>;
}
export type DropStep = 'begun' | 'emptied' | 'locked';

/** A tree as it was written down: exactly this is dropped, or nothing. */
export interface TreeToDrop {
  readonly root: string;
  readonly tenant: string;
  /** Its agents, with the head up to which each of them was written. */
  readonly heads: ReadonlyMap<string, StreamHead>;
  /** A place up to which every agent of the log was looked at for pointers into the tree. */
  readonly lookedUpTo: LogPlace;
}

export type DropResult = { readonly ok: true; readonly events: number } | ({ readonly ok: false } & Kept);

/** Thrown inside the transaction, so that all of it is taken back. */
class TreeKept extends Error {
  constructor(readonly kept: Kept) {
    super(kept.reason);
  }
}

/**
 * Takes a tree out of the log and out of every table beside it, in one transaction: all of it, or nothing and the reason. What was
 * recorded in it or below it until the end of the transaction keeps it. Appends wait only at the very end, for as long as it takes to look at
 * what is new. Readers of the log wait for the end of the transaction. Payloads are noted for `sweepBlobs`.
 */
export async function dropTree(tools: DropTools, tree: TreeToDrop): Promise<DropResult> {
  try {
    return { ok: true, events: await inTransaction(tools.pool, (client) => dropIn(client, tools, tree)) };
  } catch (thrown) {
    if (thrown instanceof TreeKept) return { ok: false, ...thrown.kept };
    if (isLockTimeout(thrown)) return { ok: false, reason: KeepReason.logBusy, subject: tree.root };
    throw thrown;
  }
}

async function dropIn(client: PoolClient, tools: DropTools, tree: TreeToDrop): Promise<number> {
  // A server that is slow to take this many rows away is no fault; nobody waits for it but readers.
  await client.query('set local statement_timeout = 0');
  await client.query(`select pg_advisory_xact_lock(hashtextextended('offshoot archive', 0))`);
  await tools.onStep?.('begun');
  await holdProjections(client, tools.projections);
  await assertUnchanged(client, tree);
  await assertRead(client, tools, tree);
  const { lookedUpTo } = tree;
  await assertNobodyNew(client, lookedUpTo, tree);
  const fresh = (await readLogEnd(client)) ?? lookedUpTo;
  const events = await empty(client, tools.columns, tree);
  await tools.onStep?.('emptied');
  if (!(await lockLog(client))) throw keep(KeepReason.logBusy, tree.root);
  // Every append that was under way has ended, and none begins: this is the last look.
  await assertNobodyNew(client, fresh, tree);
  await assertGone(client, tree);
  await tools.onStep?.('locked');
  return events;
}

const keep = (reason: KeepReason, subject: string): TreeKept => new TreeKept({ reason, subject });

/** A rebuild that has read the tree would put its rows back with the swap. */
async function holdProjections(client: PoolClient, names: readonly string[]): Promise<void> {
  for (const name of names)
    if (!(await takeShadowLock(client, name))) throw keep(KeepReason.projectionHeld, name);
}

const changedText = `select t.stream from unnest($1::uuid[], $2::int[], $3::bytea[]) t(stream, version, hash)
where (select max(e.version) from event e where e.stream = t.stream) is distinct from t.version
  or not exists (select 1 from event e where e.stream = t.stream and e.version = t.version and e.hash = t.hash)
limit 1`;

async function assertUnchanged(client: PoolClient, { heads }: TreeToDrop): Promise<void> {
  const [row] = await queryText<{ readonly stream: string }>(client, 'archive-changed', changedText, [
    uuidArray([...heads.keys()]),
    intArray([...heads.values()].map(({ version }) => version)),
    byteaArray([...heads.values()].map(({ hash }) => hash)),
  ]);
  if (row !== undefined) throw keep(KeepReason.wentOn, row.stream);
}

const behindText = `select r.reader from (
  select reader from checkpoint where reader not like '%/shadow' union select unnest($3::text[])) r
left join checkpoint c on c.reader = r.reader
where not coalesce((c.generation, c.xid, c.position) >= (
  select e.generation, e.xid, e.position from event e
  join unnest($1::uuid[], $2::int[]) t(stream, version) on t.stream = e.stream and t.version = e.version
  order by e.generation desc, e.xid desc, e.position desc limit 1), false)
order by 1 limit 1`;

async function assertRead(client: PoolClient, { readers }: DropTools, { heads }: TreeToDrop): Promise<void> {
  const reader = await readerBehind(client, readers, heads);
  if (reader !== null) throw keep(KeepReason.readerBehind, reader);
}

/**
 * A reader that has not come past these agents, or `null`: what readers do for their events is done then, and recorded where it is
 * recorded. `readers` are those that must exist; any other that ever saved a checkpoint counts too.
 */
export async function readerBehind(
  client: SqlClient,
  readers: readonly string[],
  heads: ReadonlyMap<string, StreamHead>,
): Promise<string | null> {
  const [row] = await queryText<{ readonly reader: string }>(client, 'archive-behind', behindText, [
    uuidArray([...heads.keys()]),
    intArray([...heads.values()].map(({ version }) => version)),
    [...readers],
  ]);
  return row?.reader ?? null;
}

/** An agent that was launched since, in this tree or with a history of it, and is not among what was written. */
async function assertNobodyNew(client: PoolClient, since: LogPlace, { heads }: TreeToDrop): Promise<void> {
  const found = (await pointersSince(client, since)).find(
    ({ from, to }) => heads.has(to) && !heads.has(from),
  );
  if (found !== undefined) throw keep(KeepReason.inheritedFrom, found.from);
}

async function assertGone(client: PoolClient, { heads }: TreeToDrop): Promise<void> {
  const text = 'select stream from event where stream = any($1::uuid[]) limit 1';
  const [row] = await queryText<{ readonly stream: string }>(client, 'archive-left', text, [
    uuidArray([...heads.keys()]),
  ]);
  if (row !== undefined) throw keep(KeepReason.wentOn, row.stream);
}

/** Streams that are emptied by one statement. */
const streamsAtOnce = 200;

const rememberText = `insert into archived_agent (agent_id, root, tenant, generation, xid, position)
select e.stream, $3, $4, e.generation, e.xid, e.position from event e
join unnest($1::uuid[], $2::int[]) t(stream, version) on t.stream = e.stream and t.version = e.version
on conflict (agent_id) do update set root = excluded.root, tenant = excluded.tenant, archived_at = clock_timestamp(),
  generation = excluded.generation, xid = excluded.xid, position = excluded.position`;

// A picture is named inside the result of its call, a large payload by its event.
const emptyText = `with gone as (delete from event where stream = any($1::uuid[]) returning blob,
  case when type = 'ToolCallFinished' and data like '%"picture":{%'
    then decode(substring(data from '"picture":\\{[^}]*"blob":"([0-9a-f]{64})"'), 'hex') end as picture),
noted as (insert into blob_leftover (hash) select h from gone cross join lateral (values (blob), (picture)) b(h)
  where h is not null on conflict do nothing)
select count(*) as events from gone`;

const countText = `update log_identity set drops = drops + 1, dropped_generation = d.generation, dropped_xid = d.xid,
  dropped_position = d.position from (
  select * from (select generation, xid, position from archived_agent where root = $1
    union all select dropped_generation, dropped_xid, dropped_position from log_identity where dropped_position is not null) p
  order by generation desc, xid desc, position desc limit 1) d`;

async function empty(
  client: PoolClient,
  columns: readonly AgentColumn[],
  { root, tenant, heads }: TreeToDrop,
): Promise<number> {
  let events = 0;
  for (const part of parts([...heads.keys()])) {
    const versions = part.map((stream) => heads.get(stream)?.version ?? 0);
    await queryText(client, 'archive-remember', rememberText, [
      uuidArray(part),
      intArray(versions),
      root,
      tenant,
    ]);
    await noteLeftovers(client, await hiddenPictures(client, part));
    for (const { table, column } of columns)
      await client.query(`delete from ${table} where ${column} = any($1::uuid[])`, [part]);
    const [row] = await queryText<{ readonly events: string }>(client, 'archive-empty', emptyText, [
      uuidArray(part),
    ]);
    events += Number(row?.events ?? 0);
  }
  await client.query(countText, [root]);
  return events;
}

function parts(streams: readonly string[]): readonly (readonly string[])[] {
  const count = Math.ceil(streams.length / streamsAtOnce);
  return Array.from({ length: count }, (_, part) =>
    streams.slice(part * streamsAtOnce, (part + 1) * streamsAtOnce),
  );
}
