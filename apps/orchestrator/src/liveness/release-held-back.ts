import type { ClientBase } from 'pg';
import {
  accepted,
  type AgentMeta,
  type CommandTools,
  type Decision,
  decodeEvent,
  executeCommand,
  loadMeta,
  type RecordedEvent,
} from '#transcripts';

const blockedIn = `select agent_id from agent_roster where session_id = $1 and status = 'blocked' and agent_id <> $1`;
const heldBack = 'parent_closed';

/** False for an event that neither reopens a session nor blocks an agent. */
export const concernsHeldBack = ({ type }: RecordedEvent): boolean =>
  type === 'SessionReopened' || type === 'RevivalBlocked';

/**
 * Lets agents go on that only the close of their session held back: when it is reopened, and when the block of one is recorded
 * behind the reopening. An agent that was blocked for any other reason stays so.
 */
export async function releaseHeldBack(
  client: ClientBase,
  events: readonly RecordedEvent[],
  tools: CommandTools,
): Promise<void> {
  for (const record of events) {
    const event = decodeEvent(record);
    if (event.type === 'SessionReopened') {
      const { rows } = await client.query<{ agent_id: string }>(blockedIn, [record.stream]);
      for (const { agent_id } of rows) await release(agent_id, tools);
    } else if (event.type === 'RevivalBlocked' && event.data.reason === heldBack) {
      await release(record.stream, tools);
    }
  }
}

async function release(agentId: string, tools: CommandTools): Promise<void> {
  const agent = await loadMeta(tools.store, agentId);
  if (agent.launch === null) return;
  const session = await loadMeta(tools.store, agent.launch.sessionId);
  if (session.closed || session.runtime === null) return;
  await executeCommand(tools, {
    stream: agentId,
    from: agent,
    context: { actor: 'system:family', tenant: agent.tenant },
    decide: endBlock,
  });
}

const endBlock = (meta: AgentMeta): Decision =>
  meta.status === 'blocked' && meta.blocked?.reason === heldBack
    ? accepted({ type: 'WaitEnded', data: { epoch: Math.max(1, meta.epoch), reason: 'session_reopened' } })
    : accepted();
