import type { ClientBase } from 'pg';
import type { AgentMeta, RecordedEvent } from '#transcripts';
import { agentSummary } from '../../agents/queries/agent-view.js';
import type { MetaCache } from '../../log/meta-cache.js';

const columns = `agent_id uuid, tenant text, kind text, session_id uuid, parent_id uuid, status text, epoch integer,
  run_id uuid, worker_id uuid, version integer, wait_until timestamptz, summary text`;

/** One statement for a whole page. A row only ever moves forward, whoever writes it. */
const upsert = `
  insert into agent_roster
  select * from json_to_recordset($1::json) as row(${columns})
  on conflict (agent_id) do update set
    status = excluded.status, epoch = excluded.epoch, run_id = excluded.run_id, worker_id = excluded.worker_id,
    version = excluded.version, wait_until = excluded.wait_until, summary = excluded.summary
  where agent_roster.version < excluded.version`;

/** Writes the agents that a page of the log touched, each once, as they stand at least at the page's end. */
export async function applyToRoster(
  client: ClientBase,
  events: readonly RecordedEvent[],
  cache: MetaCache,
): Promise<void> {
  const rows = new Map<string, ReturnType<typeof rosterRow>>();
  for (const event of events) rows.set(event.stream, rosterRow(await cache.at(event)));
  await client.query({ name: 'roster-upsert', text: upsert, values: [JSON.stringify([...rows.values()])] });
}

/** The row of an agent. Pure. */
export function rosterRow(meta: AgentMeta) {
  const summary = agentSummary(meta);
  return {
    agent_id: meta.agentId,
    tenant: meta.tenant,
    kind: meta.kind,
    session_id: summary.sessionId,
    parent_id: summary.parentId,
    status: meta.status,
    epoch: meta.epoch,
    run_id: summary.run?.id ?? null,
    worker_id: summary.run?.worker ?? null,
    version: meta.head.version,
    wait_until: meta.waitUntilMs === null ? null : new Date(meta.waitUntilMs).toISOString(),
    summary: JSON.stringify(summary),
  };
}
