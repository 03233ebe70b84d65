import { formatDuration } from '../format.js';
import { asJson, asList, isJson, number, text, type Json } from '../read.js';
import { toolName } from '../tool-name.js';
import type { TranscriptRecord } from '../transcript.js';
import { codeBlock, entryOf, spoken, type Block, type Entry, type Picture } from './entry.js';

/** What joins the records of one call: its turn and index, else the provider's id. Null when neither is told. */
export function callKey(facts: Json): string | null {
  const call = { ...facts, ...asJson(facts['call']) };
  const turn = number(call, 'turn');
  const index = number(call, 'index');
  if (turn !== null && index !== null) return `${turn}.${index}`;
  return text(call, 'callId', 'toolCallId', 'providerId', 'id');
}

/**
 * The entry of one `ToolCall…` record, joined with the entry of the same call's earlier records.
 *
 * @param asked the arguments as the model wrote them, when its turn is known
 */
export function callEntry(record: TranscriptRecord, earlier: Entry | null, asked: Block | null): Entry {
  const read = readCall(record);
  const own =
    asked === null || hasLabel(read, asked.label) ? read : { ...read, blocks: [asked, ...read.blocks] };

  if (earlier === null) return own;
  return {
    ...own,
    version: earlier.version,
    at: earlier.at,
    title: own.title === unnamed ? earlier.title : own.title,
    detail: own.detail ?? earlier.detail,
    blocks: [...earlier.blocks.filter((block) => !hasLabel(own, block.label)), ...own.blocks],
    records: [...earlier.records, ...own.records],
  };
}

/** The arguments of every call of a turn, by the key of the call: they stand in the model's message only. */
export function askedArguments(turn: TranscriptRecord): ReadonlyMap<string, Block> {
  const blocks = asList(asJson(turn.facts['message'])['blocks']).filter(isJson);
  const calls = blocks.filter((block) => block['type'] === 'call');
  const asked = new Map<string, Block>();
  calls.forEach((call, index) => {
    const key = callKey({ turn: turn.facts['turn'], index });
    const body = text(call, 'arguments');
    if (key !== null && body !== null) asked.set(key, { label: 'Arguments', body, isCode: true });
  });
  return asked;
}

const hasLabel = (entry: Entry, label: string): boolean =>
  entry.blocks.some((block) => block.label === label);

const unnamed = 'tool call';

function readCall(record: TranscriptRecord): Entry {
  const facts = { ...asJson(record.facts['call']), ...record.facts };
  const title = text(facts, 'name', 'wireName') ?? toolName(facts['tool']) ?? unnamed;
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
    ...codeBlock(facts, 'Answer to the model', 'response', 'message'),
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
      ...codeBlock(facts, 'Result', 'content', 'result'),
    ],
    picture: pictureOf(record),
  });
}

/** What the server shows as a picture; it hands out anything else as bytes to keep. */
const shownTypes: ReadonlySet<string> = new Set(['image/png', 'image/jpeg', 'image/webp', 'image/gif']);

function pictureOf({ version, facts }: TranscriptRecord): Picture | null {
  const mediaType = text(asJson(facts['picture']), 'mediaType');
  return mediaType === null ? null : { version, isShown: shownTypes.has(mediaType) };
}

const finishBadges: Readonly<Record<string, NonNullable<Entry['badge']>>> = {
  ok: { tone: 'good', text: 'done' },
  error: { tone: 'bad', text: 'error' },
  denied: { tone: 'bad', text: 'denied' },
  unknown: { tone: 'warn', text: 'outcome unknown' },
  skipped: { tone: 'plain', text: 'never started' },
};

function finishBadge(facts: Json): NonNullable<Entry['badge']> {
  const outcome = text(facts, 'outcome') ?? 'no outcome';
  return (
    (Object.hasOwn(finishBadges, outcome) ? finishBadges[outcome] : undefined) ?? {
      tone: 'plain',
      text: outcome,
    }
  );
}
