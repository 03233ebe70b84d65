import type { ClientBase } from 'pg';
import {
  accepted,
  type AgentMeta,
  cancelAgent,
  type CommandTools,
  decodeEvent,
  type Decision,
  executeCommand,
  hasEnded,
  loadMeta,
  type RecordedEvent,
} from '#transcripts';

interface Grandchild {
  readonly parent_id: string;
  readonly agent_id: string;
}

const known = 'select parent_id, agent_id from grandchild where parent_id = $1';
const remember = `
  insert into grandchild (parent_id, agent_id)
  select * from json_to_recordset($1::json) as row(parent_id uuid, agent_id uuid) on conflict do nothing`;

/** False for an event that neither cancels an agent nor is the launch of one by another agent. */
export const concernsGrandchildren = (event: RecordedEvent): boolean =>
  event.type === 'AgentCancelled' ||
  (event.type === 'AgentLaunched' && grandchildOf(decodeEvent(event)) !== null);

/**
 * Lets a cancel reach what the cancelled agent launched, from the log: whoever cancelled it may be gone by then, and a launch
 * may have been decided just before the cancel and be recorded behind it. Each level's cancel is an event that reaches the
 * next one. Effects come before the first write: readers of the log wait for a transaction that has written.
 */
export async function cancelGrandchildren(
  client: ClientBase,
  events: readonly RecordedEvent[],
  tools: CommandTools,
): Promise<void> {
  const launched: Grandchild[] = [];
  for (const event of events.map(decodeEvent)) {
    const child = grandchildOf(event);
    if (child !== null) launched.push(child);
    if (child !== null && (await isCancelled(child.parent_id, tools))) await cancel(child, tools);
    if (event.type !== 'AgentCancelled') continue;
    const parent = event.record.stream;
    const { rows } = await client.query<Grandchild>(known, [parent]);
    const before = launched.filter(({ parent_id }) => parent_id === parent);
    for (const below of [...rows, ...before]) await cancel(below, tools);
  }
  if (launched.length > 0) await client.query(remember, [JSON.stringify(launched)]);
}

function grandchildOf(event: ReturnType<typeof decodeEvent>): Grandchild | null {
  if (event.type !== 'AgentLaunched' || event.data.parentId === event.data.sessionId) return null;
  return { parent_id: event.data.parentId, agent_id: event.data.agentId };
}

/** As it is by now, for a launch that is recorded behind the cancel of its parent. */
const isCancelled = async (agentId: string, { store }: CommandTools): Promise<boolean> =>
  (await loadMeta(store, agentId)).status === 'cancelled';

async function cancel(
  { parent_id: parentId, agent_id: stream }: Grandchild,
  tools: CommandTools,
): Promise<void> {
  const child = await loadMeta(tools.store, stream);
  // Nothing of it can be read: nobody's, until it is restored.
  if (child.tenant === '') return;
  await executeCommand(tools, {
    stream,
    from: child,
    evenDamaged: true,
    context: { actor: 'system:family', tenant: child.tenant },
    decide: (meta) => cancelWithParent(parentId, meta),
  });
}

const cancelWithParent = (parentId: string, meta: AgentMeta): Decision =>
  hasEnded(meta) ? accepted() : cancelAgent({ by: `agent:${parentId}`, reason: 'parent_cancelled' }, meta);
