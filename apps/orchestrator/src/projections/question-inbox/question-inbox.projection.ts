import type { ClientBase } from 'pg';
import { decodeEvent, type EventData, type RecordedEvent } from '#transcripts';

const insert = `
  insert into question_inbox (question_id, agent_id, tenant, asked_of, question, options, status, asked_at, expires_at)
  values ($1, $2, $3, $4, $5, $6, 'pending', $7::timestamptz, $7::timestamptz + make_interval(secs => $8))
  on conflict (question_id) do nothing`;
const settle = `update question_inbox set status = $2 where question_id = $1 and status = 'pending'`;
const settleAll = `update question_inbox set status = 'void' where agent_id = $1 and status = 'pending'`;

/** Keeps the inbox of questions in step with the log. */
export async function applyToQuestions(client: ClientBase, events: readonly RecordedEvent[]): Promise<void> {
  for (const record of events) await applyOne(client, record);
}

async function applyOne(client: ClientBase, record: RecordedEvent): Promise<void> {
  const event = decodeEvent(record);
  switch (event.type) {
    case 'QuestionAsked':
      await client.query(insert, rowOf(event.data, record));
      return;
    case 'QuestionAnswered':
      await client.query(settle, [event.data.questionId, 'answered']);
      return;
    case 'QuestionExpired':
      await client.query(settle, [event.data.questionId, 'expired']);
      return;
    case 'AgentCompleted':
    case 'AgentFailed':
    case 'AgentCancelled':
      await client.query(settleAll, [record.stream]);
      return;
    default:
  }
}

/** Without a time it never expires. */
function rowOf(data: EventData<'QuestionAsked'>, record: RecordedEvent): unknown[] {
  const { questionId, to, text, options = [], expiresInMs } = data;
  const seconds = expiresInMs === undefined ? null : expiresInMs / 1000;
  const where = [questionId, record.stream, record.tenant];
  return [...where, to, text, JSON.stringify(options), record.recordedAt, seconds];
}
