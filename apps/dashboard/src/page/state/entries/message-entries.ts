import { formatCount } from '../format.js';
import { asJson, asList, isJson, number, text, type Json } from '../read.js';
import type { TranscriptRecord } from '../transcript.js';
import { codeBlock, entryOf, proseBlock, type Block, type Entry } from './entry.js';

const titles: Readonly<Record<string, string>> = {
  MessageAppended: 'Message',
  MessageQueued: 'Message queued',
  MessageDelivered: 'Message delivered',
  LaunchPromptRecorded: 'Launch prompt',
  HistoryCompacted: 'History compacted',
  OutcomeDelivered: 'Outcome of a child delivered',
};

/** The entry of a record that holds words: a turn of the model, a message, the launch prompt; null for any other. */
export function messageEntry(record: TranscriptRecord): Entry | null {
  if (record.name === 'TurnRecorded') return turnEntry(record);
  const title = Object.hasOwn(titles, record.name) ? titles[record.name] : undefined;
  if (title === undefined) return null;
  const { facts } = record;
  return entryOf(record, {
    family: 'message',
    title,
    detail: text(facts, 'from', 'source', 'agentId'),
    blocks: [
      ...(record.name === 'LaunchPromptRecorded' ? codeBlock(facts, 'As sent', 'text') : spokenBlocks(facts)),
      ...proseBlock(facts, 'Directive', 'directive'),
      ...proseBlock(facts, 'Guidance', 'guidance'),
      ...proseBlock(facts, 'Restriction', 'restriction'),
    ],
  });
}

function turnEntry(record: TranscriptRecord): Entry {
  const { facts } = record;
  const calls = blocksOf(facts).filter((block) => block['type'] === 'call').length;
  const turn = number(facts, 'turn');
  const stopReason = text(facts, 'stopReason');
  const isCut = stopReason !== null && /length|max_tokens|truncated/.test(stopReason);
  return entryOf(record, {
    family: 'turn',
    title: turn === null ? 'Turn' : `Turn ${turn}`,
    detail: [calls === 0 ? '' : `${calls} ${calls === 1 ? 'call' : 'calls'}`, tokens(facts)]
      .filter(Boolean)
      .join(', '),
    badge: isCut ? { tone: 'warn', text: 'cut at its cap' } : null,
    blocks: spokenBlocks(facts),
  });
}

function tokens(facts: Json): string {
  const usage = asJson(facts['usage']);
  const output = number(usage, 'outputTokens');
  return output === null ? '' : `${formatCount(output)} tokens out`;
}

// A turn holds one message of the model, an appended or compacted history several.
const blocksOf = (facts: Json): readonly Json[] =>
  [facts['message'], ...asList(facts['messages'])]
    .flatMap((message) => asList(asJson(message)['blocks']))
    .filter(isJson);

function spokenBlocks(facts: Json): readonly Block[] {
  const parts = blocksOf(facts).flatMap((block) => text(block, 'text', 'content') ?? []);
  const plain = text(facts, 'text');
  const whole = parts.length > 0 ? parts.join('\n\n') : plain;
  return whole === null ? [] : [{ label: 'Text', body: whole, isCode: false }];
}
