import { text, type Json } from '../read.js';
import { toolName } from '../tool-name.js';
import type { TranscriptRecord } from '../transcript.js';
import { codeBlock, entryOf, proseBlock, type Entry } from './entry.js';

/** What joins a request and its answer; null when the record does not say. */
export const requestKey = (facts: Json): string | null =>
  text(facts, 'approvalId', 'questionId', 'id', 'requestId');

/** The entry of an `Approval…` or `Question…` record, joined with the request that it answers. */
export function approvalEntry(record: TranscriptRecord, earlier: Entry | null): Entry {
  const own = readApproval(record);
  if (earlier === null) return own;
  return {
    ...own,
    version: earlier.version,
    at: earlier.at,
    title: earlier.title,
    blocks: [...earlier.blocks, ...own.blocks.filter((block) => block.label !== 'Arguments')],
    records: [...earlier.records, ...own.records],
  };
}

function readApproval(record: TranscriptRecord): Entry {
  const { facts } = record;
  const isQuestion = record.name.startsWith('Question');
  const tool = text(facts, 'name') ?? toolName(facts['tool']);
  return entryOf(record, {
    family: 'approval',
    title: isQuestion ? 'Question' : tool === null ? 'Approval' : `Approval of ${tool}`,
    detail: text(facts, 'by', 'resolvedBy', 'reason'),
    badge: badgeOf(record),
    blocks: [
      ...proseBlock(facts, record.name === 'QuestionAnswered' ? 'Answer' : 'Question', 'text'),
      ...codeBlock(facts, 'Arguments', 'arguments'),
    ],
  });
}

function badgeOf(record: TranscriptRecord): Entry['badge'] {
  switch (record.name) {
    case 'ApprovalRequested':
    case 'QuestionAsked':
      return { tone: 'warn', text: 'waiting' };
    case 'ApprovalExpired':
    case 'QuestionExpired':
      return { tone: 'bad', text: 'expired' };
    case 'QuestionAnswered':
      return { tone: 'good', text: 'answered' };
    default:
      return text(record.facts, 'decision') === 'allow'
        ? { tone: 'good', text: 'allowed' }
        : { tone: 'bad', text: 'denied' };
  }
}
