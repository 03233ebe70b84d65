import type { Pool } from 'pg';
import { generationStaleText } from '../../store/postgres/log-generation.js';
import { type Finding, FindingKind } from '../finding.js';

// A payload belongs to the event that holds nothing else; a picture is named inside the result of its call. A result that is a blob
// itself cannot be searched here: what it names is known to whoever reads the streams. What an archived
// tree left is known, and swept by the next archiving.
const orphansText = `with picture as (
  select decode(substring(data from '"picture":\\{[^}]*"blob":"([0-9a-f]{64})"'), 'hex') as hash
  from event where type = 'ToolCallFinished' and data like '%"picture":{%')
select encode(c.hash, 'hex') as hash from blob_chunk c
where c.chunk = 0 and not exists (select 1 from event e where e.blob = c.hash)
  and not exists (select 1 from picture p where p.hash = c.hash)
  and not exists (select 1 from blob_leftover l where l.hash = c.hash) order by 1 limit 1000`;

// A reader behind the end of its log is one of another log, or of this one before it was set back.
// The last event may have been archived since: its place still counts.
const aheadText = `select reader from checkpoint c where not exists (select 1 from event e
  where (e.generation, e.xid, e.position) >= (c.generation, c.xid, c.position))
and not exists (select 1 from log_identity i
  where (i.dropped_generation, i.dropped_xid, i.dropped_position) >= (c.generation, c.xid, c.position)) order by 1`;

const heldText = `select pid::text, coalesce(nullif(application_name, ''), 'unnamed') as name,
  extract(epoch from clock_timestamp() - xact_start)::int as seconds
from pg_stat_activity where backend_xid is not null and pid <> pg_backend_pid()
  and xact_start <= clock_timestamp() - make_interval(secs => $1) order by xact_start limit 20`;

/** What the database's tables say about themselves, beside the streams. `heldSeconds` is how long a transaction may hold back readers. */
export async function examineDatabase(pool: Pool, heldSeconds = 10): Promise<readonly Finding[]> {
  return [
    ...(await staleGeneration(pool)),
    ...(await aheadCheckpoints(pool)),
    ...(await heldBack(pool, heldSeconds)),
  ];
}

/**
 * Payloads that no event refers to. Asked twice with the work of `between` in the middle: a payload is stored a moment before its event, and
 * only one that is without an event both times is an orphan. `between` takes out of the hashes those that it finds named.
 */
export async function orphanedBlobs(
  pool: Pool,
  between: (suspected: Set<string>) => Promise<void>,
): Promise<readonly Finding[]> {
  const before = new Set(await hashes(pool));
  await between(before);
  const after = (await hashes(pool)).filter((hash) => before.has(hash));
  return after.map((subject) => ({
    kind: FindingKind.blobOrphaned,
    subject,
    detail: 'no event refers to this payload',
  }));
}

async function hashes(pool: Pool): Promise<readonly string[]> {
  const { rows } = await pool.query<{ hash: string }>(orphansText);
  return rows.map(({ hash }) => hash);
}

async function staleGeneration(pool: Pool): Promise<readonly Finding[]> {
  const { rows } = await pool.query<{ stale: boolean }>(generationStaleText);
  if (rows[0]?.stale === false) return [];
  const detail = 'the log was restored into another cluster; the migrations open its next generation';
  return [{ kind: FindingKind.generationStale, subject: 'log', detail }];
}

async function aheadCheckpoints(pool: Pool): Promise<readonly Finding[]> {
  const { rows } = await pool.query<{ reader: string }>(aheadText);
  const detail = 'its checkpoint lies behind the end of the log';
  return rows.map(({ reader }) => ({ kind: FindingKind.checkpointAhead, subject: reader, detail }));
}

async function heldBack(pool: Pool, heldSeconds: number): Promise<readonly Finding[]> {
  const { rows } = await pool.query<{ pid: string; name: string; seconds: number }>(heldText, [heldSeconds]);
  return rows.map(({ pid, name, seconds }) => ({
    kind: FindingKind.logHeldBack,
    subject: `backend ${pid}`,
    detail: `a transaction of ${name} has been open for ${seconds} s`,
  }));
}
