import type { ClientBase } from 'pg';
import { workModel } from '#agents';
import { type AgentMeta, type EventName, isDispatchable, type RecordedEvent } from '#transcripts';
import type { MetaCache } from '../log/meta-cache.js';

/** What changes a row is a new claim or the end of one; anything else a run records leaves it alone. */
const present = `
  insert into dispatch (agent_id, session_id, model, has_own_model, epoch, is_running)
  select * from json_to_recordset($1::json)
    as row(agent_id uuid, session_id uuid, model text, has_own_model boolean, epoch integer, is_running boolean)
  on conflict (agent_id) do update set
    model = excluded.model, epoch = excluded.epoch, is_running = excluded.is_running, number = 0,
    enqueued_at = null, tried_by = '{}'
  where dispatch.epoch <> excluded.epoch or dispatch.is_running <> excluded.is_running`;
const gone = 'delete from dispatch where agent_id = any($1::uuid[])';
/** What waits will be run with the model that its session has by then, unless it has one of its own. */
const moved = `
  update dispatch set model = session.model
  from json_to_recordset($1::json) as session(id uuid, model text)
  where dispatch.session_id = session.id and not dispatch.is_running and not dispatch.has_own_model
    and dispatch.model <> session.model`;

/** Facts of a run, and questions about it, that leave alone whether its agent waits for a worker or has one. */
const inert: ReadonlySet<string> = new Set<EventName>([
  'TurnRecorded',
  'ToolCallAllowed',
  'ToolCallRefused',
  'ToolCallClassified',
  'ToolCallStarted',
  'ToolCallFinished',
  'ApprovalRequested',
  'QuestionAsked',
  'MessageDelivered',
  'SurfaceChanged',
  'HistoryCompacted',
  'LaunchRefused',
]);

/** False for an event that changes no row, whatever agent it is of. */
export const concernsDispatch = ({ type }: RecordedEvent): boolean => !inert.has(type);

/**
 * Keeps the level "which agents wait for a worker, and which run" in step with the log. A level, not edges: applying a page
 * twice, or a newer state than the page's, asks for nothing twice, because a claim can be won only once per epoch.
 */
export async function applyToDispatch(
  client: ClientBase,
  events: readonly RecordedEvent[],
  cache: MetaCache,
): Promise<void> {
  const rows = new Map<string, Row | null>();
  const changed = new Map<string, string>();
  for (const event of events) {
    const meta = await cache.at(event);
    rows.set(event.stream, await dispatchRow(meta, cache));
    if (event.type === 'RuntimeChanged') changed.set(event.stream, meta.runtime?.model ?? '');
  }
  const here = [...rows.values()].filter((row) => row !== null);
  const settled = [...rows].filter(([, row]) => row === null).map(([agentId]) => agentId);
  const sessions = [...changed].map(([id, model]) => ({ id, model }));
  if (settled.length > 0) await client.query(gone, [settled]);
  if (here.length > 0) await client.query(present, [JSON.stringify(here)]);
  if (sessions.length > 0) await client.query(moved, [JSON.stringify(sessions)]);
}

interface Row {
  readonly agent_id: string;
  readonly session_id: string;
  readonly model: string;
  readonly has_own_model: boolean;
  readonly epoch: number;
  readonly is_running: boolean;
}

/** Null for an agent that neither waits for a worker nor has one. A waiting one stands there for its next claim. */
export async function dispatchRow(meta: AgentMeta, cache: Pick<MetaCache, 'latest'>): Promise<Row | null> {
  const { agentId, run } = meta;
  const isRunning = meta.status === 'running';
  if (!isRunning && !isDispatchable(meta)) return null;
  const epoch = isRunning ? meta.epoch : meta.epoch + 1;
  const model = run?.model ?? (await modelOfNextRun(meta, cache));
  return {
    agent_id: agentId,
    ...ofLaunch(meta),
    model,
    epoch,
    is_running: isRunning,
  };
}

const ofLaunch = ({ agentId, launch }: AgentMeta): Pick<Row, 'session_id' | 'has_own_model'> => ({
  session_id: launch?.sessionId ?? agentId,
  has_own_model: launch?.modelIsOwn === true,
});

/** What a claim will take (`workModel`): limits of a model are for what runs on it. */
async function modelOfNextRun(meta: AgentMeta, cache: Pick<MetaCache, 'latest'>): Promise<string> {
  const { launch } = meta;
  const current = launch === null ? meta.runtime : (await cache.latest(launch.sessionId)).runtime;
  return current === null ? (launch?.model ?? '') : workModel(meta, current);
}
