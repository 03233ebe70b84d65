import type { ClientBase } from 'pg';

const text = 'select agent_id from agent_roster where parent_id = $1';

/** Every agent that an agent launched, ended or not. */
export type FindChildren = (agentId: string) => Promise<readonly string[]>;

export function childrenOver(client: Pick<ClientBase, 'query'>): FindChildren {
  return async (agentId) => {
    const { rows } = await client.query<{ agent_id: string }>(text, [agentId]);
    return rows.map(({ agent_id: child }) => child);
  };
}
