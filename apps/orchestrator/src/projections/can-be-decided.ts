/**
 * A condition on a table with agents: false for those that are blocked by damage, about which nothing but a cancel can be decided. Whoever
 * asks again and again until something is decided leaves them out.
 */
export const canBeDecided = (table: string): string => `not exists (select 1 from agent_roster r
  where r.agent_id = ${table}.agent_id and r.status = 'blocked'
    and r.summary::json #>> '{blocked,reason}' = 'chain_broken')`;
