import type { AgentColumn, Projection } from '#transcripts';

/** Every column beside the log by which rows of archived agents are found. A projection names the agent of each row as `agent_id`. */
export function treeColumns(projections: readonly Projection[]): readonly AgentColumn[] {
  return [
    ...projections.flatMap(({ tables }) => tables.map((table) => ({ table, column: 'agent_id' }))),
    { table: 'dispatch', column: 'agent_id' },
    { table: 'grandchild', column: 'parent_id' },
    { table: 'undelivered_outcome', column: 'agent_id' },
  ];
}
