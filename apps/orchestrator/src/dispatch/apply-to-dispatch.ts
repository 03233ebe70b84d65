import type { ClientBase } from 'pg';
import { type AgentMeta, isDispatchable, type RecordedEvent } from '#transcripts';
import type { MetaCache } from '../log/meta-cache.js';

/** What changes a row is a new claim or the end of one; anything else a run records leaves it alone. */
const present = `
  insert into dispatch (agent_id, session_id, model, epoch, is_running)
  select * from json_to_recordset($1::json)
    as row(agent_id uuid, session_id uuid, model text, epoch integer, is_running boolean)
  on conflict (agent_id) do update set
    epoch = excluded.epoch, is_running = excluded.is_running, number = 0, enqueued_at = null
  where dispatch.epoch <> excluded.epoch or dispatch.is_running <> excluded.is_running`;
const gone = 'delete from dispatch where agent_id = any($1::uuid[])';

/**
 * Keeps the level "which agents wait for a worker, and which run" in step with the log. A level, not edges: applying a page
 * twice, or a newer state than the page's, asks for nothing twice, because a claim can be won only once per epoch.
 */
export async function applyToDispatch(
  client: ClientBase,
  events: readonly RecordedEvent[],
  cache: MetaCache,
): Promise<void> {
  const rows = new Map<string, ReturnType<typeof rowOf>>();
  for (const event of events) rows.set(event.stream, rowOf(await cache.at(event)));
  const here = [...rows.values()].filter((row) => row !== null);
  const settled = [...rows].filter(([, row]) => row === null).map(([agentId]) => agentId);
  if (settled.length > 0) await client.query(gone, [settled]);
  if (here.length > 0) await client.query(present, [JSON.stringify(here)]);
}

/** Null for an agent that neither waits for a worker nor has one. A waiting one stands there for its next claim. */
function rowOf(meta: AgentMeta) {
  const isRunning = meta.status === 'running';
  if (!isRunning && !isDispatchable(meta)) return null;
  const epoch = isRunning ? meta.epoch : meta.epoch + 1;
  return { agent_id: meta.agentId, ...laneOf(meta), epoch, is_running: isRunning };
}

/** Whose the agent is, and what it runs on. */
function laneOf({ agentId, launch, runtime }: AgentMeta) {
  if (launch === null) return { session_id: agentId, model: runtime?.model ?? '' };
  return { session_id: launch.sessionId, model: launch.model };
}
