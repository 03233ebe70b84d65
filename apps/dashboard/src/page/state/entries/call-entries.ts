import { formatDuration } from '../format.js';
import { asJson, number, text, type Json } from '../read.js';
import { toolName } from '../tool-name.js';
import type { TranscriptRecord } from '../transcript.js';
import { codeBlock, entryOf, spoken, type Entry } from './entry.js';

/** What joins the records of one call: its turn and index, else the provider's id. Null when neither is told. */
export function callKey(facts: Json): string | null {
  const call = { ...facts, ...asJson(facts['call']) };
  const turn = number(call, 'turn');
  const index = number(call, 'index');
  if (turn !== null && index !== null) return `${turn}.${index}`;
  return text(call, 'callId', 'toolCallId', 'providerId', 'id');
}

/** The entry of one `ToolCall…` record, joined with the entry of the same call's earlier records. */
export function callEntry(record: TranscriptRecord, earlier: Entry | null): Entry {
  const own = readCall(record);
  if (earlier === null) return own;
  return {
    ...own,
    version: earlier.version,
    at: earlier.at,
    title: own.title === unnamed ? earlier.title : own.title,
    detail: own.detail ?? earlier.detail,
    blocks: [
      ...earlier.blocks.filter((block) => !own.blocks.some((newer) => newer.label === block.label)),
      ...own.blocks,
    ],
    records: [...earlier.records, ...own.records],
  };
}

const unnamed = 'tool call';

function readCall(record: TranscriptRecord): Entry {
  const facts = { ...asJson(record.facts['call']), ...record.facts };
  const title = toolName(facts['tool']) ?? text(facts, 'wireName', 'name') ?? unnamed;
  const call = { family: 'call', title, blocks: codeBlock(facts, 'Arguments', 'arguments') } as const;
  switch (record.name) {
    case 'ToolCallRefused':
      return refused(record, facts, title);
    case 'ToolCallFinished':
      return finished(record, facts, title);
    case 'ToolCallStarted':
      return entryOf(record, { ...call, badge: { tone: 'live', text: 'started' } });
    default:
      return entryOf(record, {
        ...call,
        badge: { tone: 'plain', text: 'allowed' },
        detail: text(facts, 'rule'),
      });
  }
}

function refused(record: TranscriptRecord, facts: Json, title: string): Entry {
  const blocks = [
    ...codeBlock(facts, 'Arguments', 'arguments'),
    ...codeBlock(facts, 'Answer to the model', 'message', 'response', 'error', 'text'),
  ];
  const reason = text(facts, 'reason', 'code') ?? 'refused';
  return entryOf(record, {
    family: 'refusal',
    title,
    detail: spoken(reason),
    badge: { tone: 'bad', text: 'refused' },
    blocks,
  });
}

function finished(record: TranscriptRecord, facts: Json, title: string): Entry {
  const durationMs = number(facts, 'durationMs');
  return entryOf(record, {
    family: 'call',
    title,
    detail: durationMs === null ? null : formatDuration(durationMs),
    badge: finishBadge(facts),
    blocks: [
      ...codeBlock(facts, 'Arguments', 'arguments'),
      ...codeBlock(facts, 'Result', 'result', 'content', 'output'),
      ...codeBlock(facts, 'Error', 'error'),
    ],
  });
}

function finishBadge(facts: Json): NonNullable<Entry['badge']> {
  const outcome = text(facts, 'outcome', 'status');
  if (outcome !== null && /unknown|doubt/.test(outcome)) return { tone: 'warn', text: 'outcome unknown' };
  const hasFailed = facts['isError'] === true || asJson(facts['result'])['isError'] === true;
  const hasError = facts['error'] !== undefined && facts['error'] !== null;
  return hasFailed || hasError ? { tone: 'bad', text: 'error' } : { tone: 'good', text: 'done' };
}
