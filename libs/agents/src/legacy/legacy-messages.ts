import type { CallBlock, Message, ResultBlock, TextBlock } from '#transcripts';
import type { LegacyContent, LegacyPart } from './legacy-records.js';

/**
 * Legacy messages in our own form. Neighbouring messages of the model are one turn, since the legacy transcript has a line for each
 * call; thoughts are left out, since nothing vouches for them; calls without an id get one. Pure.
 */
export function legacyMessages(contents: readonly LegacyContent[]): readonly Message[] {
  const messages: Message[] = [];
  for (const { role, parts } of contents) {
    if (role === 'model') addTurn(messages, parts);
    else addUser(messages, parts);
  }
  return messages;
}

function addTurn(messages: Message[], parts: readonly LegacyPart[]): void {
  const last = messages.at(-1);
  const before = last?.role === 'assistant' ? last.blocks : [];
  const made = parts.flatMap((part, index) =>
    turnBlocks(part, `call-${messages.length}-${before.length + index}`),
  );
  if (last?.role === 'assistant') last.blocks.push(...made);
  else if (made.length > 0) messages.push({ role: 'assistant', blocks: made });
}

function turnBlocks(
  { text = '', thought, functionCall }: LegacyPart,
  newId: string,
): (TextBlock | CallBlock)[] {
  const said: TextBlock[] = text === '' || thought === true ? [] : [{ type: 'text', text }];
  return functionCall === undefined ? said : [...said, callBlock(functionCall, newId)];
}

function callBlock(call: NonNullable<LegacyPart['functionCall']>, newId: string): CallBlock {
  const { id = newId, name, args } = call;
  return { type: 'call', id, name, arguments: JSON.stringify(args ?? {}) };
}

function addUser(messages: Message[], parts: readonly LegacyPart[]): void {
  const texts = parts.map(({ text = '' }) => text).filter((text) => text !== '');
  for (const { functionResponse } of parts)
    if (functionResponse !== undefined) addResult(messages, functionResponse);
  if (texts.length > 0)
    messages.push({ role: 'user', blocks: texts.map((text) => ({ type: 'text', text })) });
}

type Response = NonNullable<LegacyPart['functionResponse']>;

function addResult(messages: Message[], { id, name, response }: Response): void {
  const last = messages.at(-1);
  const results: ResultBlock[] = last?.role === 'tool' ? last.blocks : [];
  if (last?.role !== 'tool') messages.push({ role: 'tool', blocks: results });
  const call = answered(messages.at(-2), results, name, id);
  results.push({ type: 'result', callId: call?.id ?? id ?? '', name, ...contentOf(response) });
}

/** The call that a result answers: by its id, else the first open one of its name. */
function answered(
  before: Message | undefined,
  results: readonly ResultBlock[],
  name: string,
  id: string | undefined,
): CallBlock | undefined {
  const calls = before?.role === 'assistant' ? before.blocks.filter((block) => block.type === 'call') : [];
  const open = calls.filter((call) => results.every(({ callId }) => callId !== call.id));
  return open.find((call) => (id === undefined ? call.name === name : call.id === id));
}

function contentOf(response: unknown): { content: string; isError: boolean } {
  if (typeof response !== 'object' || response === null)
    return { content: JSON.stringify(response ?? ''), isError: false };
  const { output, error } = response as { output?: unknown; error?: unknown };
  if (typeof error === 'string') return { content: error, isError: true };
  return { content: typeof output === 'string' ? output : JSON.stringify(response), isError: false };
}
