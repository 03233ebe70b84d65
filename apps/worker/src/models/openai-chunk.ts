import type { RawOpenAiUsage } from './openai-usage.js';

/**
 * The parts of a streamed chunk that are read, as loosely as endpoints send them. `parseOpenAiChunk` is the only way to
 * one: a member of another type counts as absent.
 */
export interface OpenAiChunk {
  readonly text: string;
  readonly calls: readonly OpenAiCallPiece[];
  readonly reasoningContent: string;
  readonly reasoningDetails: readonly object[];
  readonly finishReason: string | null;
  readonly usage: RawOpenAiUsage | null;
}

export interface OpenAiCallPiece {
  readonly index: number | null;
  readonly id: string;
  readonly name: string;
  readonly arguments: string;
}

type Fields = Readonly<Record<string, unknown>>;

function fields(value: unknown): Fields {
  return typeof value === 'object' && value !== null ? (value as Fields) : {};
}

function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function string(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

function parseCall(value: unknown): OpenAiCallPiece {
  const call = fields(value);
  const body = fields(call['function']);
  return {
    index: typeof call['index'] === 'number' ? call['index'] : null,
    id: string(call['id']),
    name: string(body['name']),
    arguments: string(body['arguments']),
  };
}

/** Reads the first choice only: one is all that is ever asked for. */
export function parseOpenAiChunk(value: unknown): OpenAiChunk {
  const chunk = fields(value);
  const choice = fields(list(chunk['choices'])[0]);
  const delta = fields(choice['delta']);
  return {
    // A refusal is the model's words in another member; as text it stays in the history.
    text: string(delta['content']) + string(delta['refusal']),
    calls: list(delta['tool_calls']).map(parseCall),
    reasoningContent: string(delta['reasoning_content']),
    reasoningDetails: list(delta['reasoning_details']).filter(isObject),
    finishReason: typeof choice['finish_reason'] === 'string' ? choice['finish_reason'] : null,
    usage: isObject(chunk['usage']) ? chunk['usage'] : null,
  };
}
