import type { ClientBase, Pool } from 'pg';

/** Looks up the other children of a parent that have not ended; a moment behind, as the list of agents is. */
export type FindSiblings = (parentId: string, childId: string) => Promise<readonly string[]>;

/** One more than a parent is told by name, so that it can be told that there are more. */
const most = 11;

const unfinished = `
  select agent_id from agent_roster
  where parent_id = $1 and agent_id <> $2 and status not in ('completed', 'failed', 'cancelled')
  order by agent_id limit ${most}`;

export function siblingsOver(client: ClientBase | Pool): FindSiblings {
  return async (parentId, childId) => {
    const { rows } = await client.query<{ agent_id: string }>(unfinished, [parentId, childId]);
    return rows.map((row) => row.agent_id);
  };
}
