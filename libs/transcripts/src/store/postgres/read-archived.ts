import type { LogPlace } from '../../events/recorded-event.js';
import type { ArchivedAgent, Dropped, DroppedFilter } from '../transcript-store.js';
import { queryText, type SqlClient } from './sql-client.js';

// One statement, so that the count and the places are of one moment.
const droppedText = `select i.drops, d.generation, d.xid, d.position from log_identity i left join lateral (
  select generation, xid, position from archived_agent
  where tenant = $1 and (generation, xid, position) > ($2::int, $3::xid8, $4::bigint)
    and ($5::uuid[] is null or root = any($5)) and ($6::uuid[] is null or agent_id = any($6))
  order by generation desc, xid desc, position desc limit 1) d on true`;

const anyDroppedText = `select i.drops, d.generation, d.xid, d.position from log_identity i left join lateral (
  select dropped_generation as generation, dropped_xid as xid, dropped_position as position
  where (dropped_generation, dropped_xid, dropped_position) > ($1::int, $2::xid8, $3::bigint)) d on true`;

interface DroppedRow {
  readonly drops: string;
  readonly generation: string | null;
  readonly xid: string | null;
  readonly position: string | null;
}

/** What was taken away behind a place, by the last event of each archived agent. */
export async function droppedBehind(
  client: SqlClient,
  { generation, xid, position }: LogPlace,
  about: DroppedFilter | null,
): Promise<Dropped> {
  const place = [generation, String(xid), String(position)];
  const [row] =
    about === null
      ? await queryText<DroppedRow>(client, 'any-dropped-behind', anyDroppedText, place)
      : await queryText<DroppedRow>(client, 'dropped-behind', droppedText, [
          about.tenant,
          ...place,
          ...idsOf(about),
        ]);
  return { drops: Number(row?.drops ?? 0), last: placeOf(row) };
}

const idsOf = ({ sessions, agents }: DroppedFilter): readonly (readonly string[] | null)[] =>
  [sessions, agents].map((ids) => (ids === undefined ? null : [...ids]));

function placeOf(row: DroppedRow | undefined): LogPlace | null {
  if (row?.generation === undefined || row.generation === null) return null;
  return {
    generation: Number(row.generation),
    xid: BigInt(row.xid ?? 0),
    position: BigInt(row.position ?? 0),
  };
}

/** The archived agent of this id, or `null`. */
export async function findArchived(client: SqlClient, agentId: string): Promise<ArchivedAgent | null> {
  const text = 'select tenant, root from archived_agent where agent_id = $1';
  const [row] = await queryText<ArchivedAgent>(client, 'find-archived', text, [agentId]);
  return row ?? null;
}
