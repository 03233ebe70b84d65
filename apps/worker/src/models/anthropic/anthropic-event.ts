/**
 * The parts of a streamed event that are read, as loosely as endpoints send them. `parseAnthropicEvent` is the only way to
 * one: an event of another type, or without what makes its type, is `other`.
 */
export type AnthropicEvent =
  | { readonly type: 'message_start'; readonly usage: RawAnthropicUsage | null }
  | { readonly type: 'block_start'; readonly index: number; readonly block: Fields }
  | { readonly type: 'block_delta'; readonly index: number; readonly delta: Fields }
  | { readonly type: 'block_stop'; readonly index: number }
  | {
      readonly type: 'message_delta';
      readonly stopReason: string | null;
      readonly usage: RawAnthropicUsage | null;
    }
  | { readonly type: 'message_stop' }
  | { readonly type: 'other' };

export type Fields = Readonly<Record<string, unknown>>;

/** Usage as the endpoint sent it; every number may be missing, null or nonsense. */
export interface RawAnthropicUsage {
  readonly input_tokens?: unknown;
  readonly cache_read_input_tokens?: unknown;
  readonly cache_creation_input_tokens?: unknown;
  readonly output_tokens?: unknown;
}

const OTHER: AnthropicEvent = { type: 'other' };

function fields(value: unknown): Fields {
  return typeof value === 'object' && value !== null ? (value as Fields) : {};
}

function usageOf(value: unknown): RawAnthropicUsage | null {
  return typeof value === 'object' && value !== null ? value : null;
}

/** A text member, empty where there is none. */
export function textOf(given: Fields, name: string): string {
  const value = given[name];
  return typeof value === 'string' ? value : '';
}

function parseBlockEvent(event: Fields): AnthropicEvent {
  const { index } = event;
  if (typeof index !== 'number') return OTHER;
  switch (event['type']) {
    case 'content_block_start':
      return { type: 'block_start', index, block: fields(event['content_block']) };
    case 'content_block_delta':
      return { type: 'block_delta', index, delta: fields(event['delta']) };
    case 'content_block_stop':
      return { type: 'block_stop', index };
    default:
      return OTHER;
  }
}

export function parseAnthropicEvent(value: unknown): AnthropicEvent {
  const event = fields(value);
  switch (event['type']) {
    case 'message_start':
      return { type: 'message_start', usage: usageOf(fields(event['message'])['usage']) };
    case 'message_delta': {
      const reason = fields(event['delta'])['stop_reason'];
      const stopReason = typeof reason === 'string' ? reason : null;
      return { type: 'message_delta', stopReason, usage: usageOf(event['usage']) };
    }
    case 'message_stop':
      return { type: 'message_stop' };
    default:
      return parseBlockEvent(event);
  }
}
