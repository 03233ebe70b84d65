import { z } from 'zod';
import { checkJsonBounds } from '#policy';
import { BoundedOutput } from '../tools/bounded-output.js';
import { canonicalJson } from './canonical-json.js';

/** A result in text, bounded, not yet capped for the model. */
export interface RenderedResult {
  readonly outcome: 'ok' | 'error';
  readonly text: string;
}

/** What is kept of a result, head and tail. */
const KEPT_BYTES = 4 * 1_048_576;
const BOUNDS = { maxDepth: 64, maxNodes: 1_000_000 };

const Result = z.looseObject({
  content: z.array(z.unknown()).optional(),
  structuredContent: z.unknown().optional(),
  isError: z.boolean().optional(),
  /** The result of servers of the first protocol version. */
  toolResult: z.unknown().optional(),
});

/**
 * Renders a result of `tools/call` as text (spec 04 §3): text as it is, structured content as JSON unless a text says the
 * same, everything else as one line with its type and size. Never throws, whatever came.
 */
export function renderResult(given: unknown): RenderedResult {
  const bounded = checkJsonBounds(given, BOUNDS);
  if (!bounded.ok) return unreadable(bounded.rejection.message);
  const result = Result.safeParse(given);
  if (!result.success) return unreadable('It has not the form that the protocol gives results.');
  const { content = [], isError } = result.data;
  const parts = [...content.map(renderBlock), ...renderStructured(content, result.data)];
  return { outcome: isError === true ? 'error' : 'ok', text: keep(parts) };
}

function renderStructured(content: readonly unknown[], result: z.infer<typeof Result>): readonly string[] {
  const structured = result.structuredContent ?? result.toolResult;
  return structured === undefined || saysTheSame(content, structured) ? [] : [canonicalJson(structured)];
}

const unreadable = (why: string): RenderedResult => ({
  outcome: 'error',
  text: `The server's result cannot be read: ${why} The call may have taken effect.`,
});

function keep(parts: readonly string[]): string {
  const kept = new BoundedOutput(KEPT_BYTES);
  for (const [index, part] of parts.entries()) kept.append(Buffer.from(index === 0 ? part : `\n${part}`));
  return kept.toText();
}

/** Servers send structured content as text too, for clients that know no other. */
function saysTheSame(content: readonly unknown[], structured: unknown): boolean {
  const texts = content.filter(isTextBlock);
  const [only] = texts;
  if (only === undefined || texts.length !== 1) return false;
  try {
    const value: unknown = JSON.parse(only.text);
    return checkJsonBounds(value, BOUNDS).ok && canonicalJson(value) === canonicalJson(structured);
  } catch {
    return false;
  }
}

const Text = z.looseObject({ type: z.literal('text'), text: z.string() });
const Media = z.looseObject({
  type: z.enum(['image', 'audio']),
  data: z.string(),
  mimeType: z.string().optional(),
});
const Embedded = z.looseObject({
  type: z.literal('resource'),
  resource: z.looseObject({
    uri: z.string(),
    mimeType: z.string().optional(),
    text: z.string().optional(),
    blob: z.string().optional(),
  }),
});
const Link = z.looseObject({
  type: z.literal('resource_link'),
  uri: z.string(),
  name: z.string().optional(),
  mimeType: z.string().optional(),
  size: z.number().optional(),
});
const Block = z.discriminatedUnion('type', [Text, Media, Embedded, Link]);

const isTextBlock = (block: unknown): block is z.infer<typeof Text> => Text.safeParse(block).success;

function renderBlock(given: unknown): string {
  const block = Block.safeParse(given);
  if (!block.success) return '[content of a kind that is not known here]';
  switch (block.data.type) {
    case 'text':
      return block.data.text;
    case 'image':
    case 'audio':
      return label([block.data.type, block.data.mimeType, sizeOf(block.data.data)]);
    case 'resource':
      return renderResource(block.data.resource);
    case 'resource_link':
      return label(['link', block.data.name, block.data.uri, block.data.mimeType, bytes(block.data.size)]);
  }
}

function renderResource(resource: z.infer<typeof Embedded>['resource']): string {
  const { uri, mimeType, text, blob } = resource;
  if (text !== undefined) return `${label(['resource', uri, mimeType])}\n${text}`;
  return label(['resource', uri, mimeType, sizeOf(blob ?? '')]);
}

function label(words: readonly (string | undefined)[]): string {
  return `[${words.filter((word) => word !== undefined).join(', ')}]`;
}

const bytes = (size: number | undefined): string | undefined =>
  size === undefined ? undefined : `${size} bytes`;

/** The size of what base64 text stands for. */
function sizeOf(base64: string): string {
  const padding = /=*$/.exec(base64.slice(-2))?.[0].length ?? 0;
  return `${Math.max(0, Math.floor((base64.length * 3) / 4) - padding)} bytes`;
}
