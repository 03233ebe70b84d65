import type { ClientBase } from 'pg';
import { decodeEvent, type EventData, type EventName, type RecordedEvent } from '#transcripts';
import { expiryOf } from '../expiry-of.js';
import { type Asked, InboxFold } from '../inbox-fold.js';
import { storableText } from '../storable-text.js';

const table = Object.freeze({
  name: 'approval_inbox',
  id: 'approval_id',
  columns: `agent_id uuid, tenant text, tool text, arguments text, status text, requested_at timestamptz,
    expires_at timestamptz`,
});

const handled: ReadonlySet<string> = new Set<EventName>([
  'ApprovalRequested',
  'ApprovalResolved',
  'ApprovalExpired',
  'AgentCompleted',
  'AgentFailed',
  'AgentCancelled',
]);

/** False for an event that changes nothing in the inbox. */
export const concernsApprovals = ({ type }: RecordedEvent): boolean => handled.has(type);

/** Keeps the inbox in step with the log: a page of it is a few statements, however many approvals it holds. */
export async function applyToInbox(client: ClientBase, events: readonly RecordedEvent[]): Promise<void> {
  const fold = new InboxFold();
  for (const record of events) foldOne(fold, record);
  await fold.write(client, table);
}

function foldOne(fold: InboxFold<Asked>, record: RecordedEvent): void {
  const event = decodeEvent(record);
  switch (event.type) {
    case 'ApprovalRequested':
      fold.ask(event.data.approvalId, rowOf(event.data, record));
      return;
    case 'ApprovalResolved': {
      const status = event.data.decision === 'allow' ? 'allowed' : 'denied';
      fold.settle(event.data.approvalId, record.stream, status);
      return;
    }
    case 'ApprovalExpired':
      fold.settle(event.data.approvalId, record.stream, 'expired');
      return;
    case 'AgentCompleted':
    case 'AgentFailed':
    case 'AgentCancelled':
      fold.end(record.stream);
      return;
    default:
  }
}

function rowOf(data: EventData<'ApprovalRequested'>, { stream, tenant, recordedAt }: RecordedEvent) {
  return {
    agent_id: stream,
    tenant,
    tool: storableText(data.name),
    arguments: storableText(data.arguments),
    requested_at: recordedAt,
    expires_at: expiryOf(recordedAt, data.expiresInMs),
  };
}
