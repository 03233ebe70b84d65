import type { ClientBase } from 'pg';
import { decodeEvent, type RecordedEvent } from '#transcripts';

const insert = `
  insert into approval_inbox (approval_id, agent_id, tenant, tool, arguments, status, requested_at, expires_at)
  values ($1, $2, $3, $4, $5, 'pending', $6::timestamptz, $6::timestamptz + make_interval(secs => $7))
  on conflict (approval_id) do nothing`;
const settle = `update approval_inbox set status = $2 where approval_id = $1 and status = 'pending'`;
const settleAll = `update approval_inbox set status = 'void' where agent_id = $1 and status = 'pending'`;

/** Keeps the inbox in step with the log. */
export async function applyToInbox(client: ClientBase, events: readonly RecordedEvent[]): Promise<void> {
  for (const record of events) await applyOne(client, record);
}

async function applyOne(client: ClientBase, record: RecordedEvent): Promise<void> {
  const event = decodeEvent(record);
  switch (event.type) {
    case 'ApprovalRequested': {
      const { approvalId, name, arguments: args, expiresInMs } = event.data;
      await client.query(insert, [
        approvalId,
        record.stream,
        record.tenant,
        name,
        args,
        record.recordedAt,
        expiresInMs / 1000,
      ]);
      return;
    }
    case 'ApprovalResolved':
      await client.query(settle, [
        event.data.approvalId,
        event.data.decision === 'allow' ? 'allowed' : 'denied',
      ]);
      return;
    case 'ApprovalExpired':
      await client.query(settle, [event.data.approvalId, 'expired']);
      return;
    case 'AgentCompleted':
    case 'AgentFailed':
    case 'AgentCancelled':
      await client.query(settleAll, [record.stream]);
      return;
    default:
  }
}
