import type { ClientBase } from 'pg';
import { isDispatchable, type RecordedEvent } from '#transcripts';
import type { MetaCache } from '../log/meta-cache.js';

const wanted = `
  insert into dispatch (agent_id, epoch)
  select * from json_to_recordset($1::json) as row(agent_id uuid, epoch integer)
  on conflict (agent_id) do update set epoch = excluded.epoch, number = 0, enqueued_at = null
  where dispatch.epoch <> excluded.epoch`;
const unwanted = 'delete from dispatch where agent_id = any($1::uuid[])';

/**
 * Keeps the level "which agents wait for a worker" in step with the log. A level, not edges: applying a page twice, or a
 * newer state than the page's, asks for nothing twice, because a claim can be won only once per epoch.
 */
export async function applyToDispatch(
  client: ClientBase,
  events: readonly RecordedEvent[],
  cache: MetaCache,
): Promise<void> {
  const waiting = new Map<string, { agent_id: string; epoch: number }>();
  const settled = new Set<string>();
  for (const event of events) {
    const meta = await cache.at(event);
    waiting.delete(event.stream);
    settled.delete(event.stream);
    if (isDispatchable(meta)) waiting.set(event.stream, { agent_id: event.stream, epoch: meta.epoch + 1 });
    else settled.add(event.stream);
  }
  if (settled.size > 0) await client.query(unwanted, [[...settled]]);
  if (waiting.size > 0) await client.query(wanted, [JSON.stringify([...waiting.values()])]);
}
