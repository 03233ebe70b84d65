import type { ClientBase } from 'pg';
import { decodeEvent, type EventData, type EventName, type RecordedEvent } from '#transcripts';
import { expiryOf } from '../expiry-of.js';
import { type Asked, InboxFold } from '../inbox-fold.js';
import { storableText } from '../storable-text.js';

const table = Object.freeze({
  name: 'question_inbox',
  id: 'question_id',
  columns: `agent_id uuid, tenant text, asked_of text, question text, options text, status text, asked_at timestamptz,
    expires_at timestamptz`,
});

const handled: ReadonlySet<string> = new Set<EventName>([
  'QuestionAsked',
  'QuestionAnswered',
  'QuestionExpired',
  'AgentCompleted',
  'AgentFailed',
  'AgentCancelled',
]);

/** False for an event that changes nothing in the inbox. */
export const concernsQuestions = ({ type }: RecordedEvent): boolean => handled.has(type);

/** Keeps the inbox of questions in step with the log: a page of it is a few statements, however many questions it holds. */
export async function applyToQuestions(client: ClientBase, events: readonly RecordedEvent[]): Promise<void> {
  const fold = new InboxFold();
  for (const record of events) foldOne(fold, record);
  await fold.write(client, table);
}

function foldOne(fold: InboxFold<Asked>, record: RecordedEvent): void {
  const event = decodeEvent(record);
  switch (event.type) {
    case 'QuestionAsked':
      fold.ask(event.data.questionId, rowOf(event.data, record));
      return;
    case 'QuestionAnswered':
      fold.settle(event.data.questionId, record.stream, 'answered');
      return;
    case 'QuestionExpired':
      fold.settle(event.data.questionId, record.stream, 'expired');
      return;
    case 'AgentCompleted':
    case 'AgentFailed':
    case 'AgentCancelled':
      fold.end(record.stream);
      return;
    default:
  }
}

/** Without a time it never expires. */
function rowOf(data: EventData<'QuestionAsked'>, { stream, tenant, recordedAt }: RecordedEvent) {
  const { to, text, options = [], expiresInMs } = data;
  return {
    agent_id: stream,
    tenant,
    asked_of: to,
    question: storableText(text),
    options: JSON.stringify(options),
    asked_at: recordedAt,
    expires_at: expiresInMs === undefined ? null : expiryOf(recordedAt, expiresInMs),
  };
}
