import type { AssistantMessage } from '#transcripts';

import { callBlock, type FinishedTurn, NO_USAGE } from '../finished-turn.js';
import type { ModelDelta, StopReason, TokenUsage } from '../model.js';
import { type AnthropicEvent, type Fields, type RawAnthropicUsage, textOf } from './anthropic-event.js';
import { anthropicOpaqueProvider } from './anthropic-opaque.js';
import { mergeAnthropicUsage } from './anthropic-usage.js';

/** One block as far as it came; `text` is its words, its thoughts or the text of its arguments. */
interface StreamedBlock {
  readonly start: Fields;
  readonly type: string;
  text: string;
  signature: string;
  isStopped: boolean;
}

/** The member of a delta that goes on with a block, by the type of the delta. */
const PIECES: ReadonlyMap<string, string> = new Map([
  ['text_delta', 'text'],
  ['thinking_delta', 'thinking'],
  ['input_json_delta', 'partial_json'],
]);

function toStopReason(reason: string): StopReason {
  switch (reason) {
    case 'end_turn':
    case 'stop_sequence':
      return 'end';
    case 'tool_use':
      return 'tool_calls';
    case 'max_tokens':
    case 'model_context_window_exceeded':
      return 'length';
    case 'refusal':
      return 'content_filter';
    default:
      return 'other';
  }
}

/** Folds the events of one streamed message into a turn. */
export class AnthropicTurn {
  readonly #blocks = new Map<number, StreamedBlock>();
  #stopReason: string | null = null;
  #isStopped = false;
  #usage: TokenUsage | null = null;

  /** Takes one event in and answers what it adds for those who watch. */
  add(event: AnthropicEvent): readonly ModelDelta[] {
    switch (event.type) {
      case 'block_start':
        return this.#start(event.index, event.block);
      case 'block_delta':
        return this.#extend(event.index, event.delta);
      default:
        this.#note(event);
        return [];
    }
  }

  /** Whether the stop event was seen. */
  get isStopped(): boolean {
    return this.#isStopped && this.#stopReason !== null;
  }

  /** The turn, or null while the stop event is missing. `model` is the name the turn was asked of. */
  finish(model: string): FinishedTurn | null {
    if (!this.#isStopped || this.#stopReason === null) return null;
    const stopReason = toStopReason(this.#stopReason);
    // Which of several calls the cut went through is not said, so none of them counts as whole.
    const isCut = stopReason !== 'end' && stopReason !== 'tool_calls';
    const blocks = this.#finishBlocks(model, isCut);
    return {
      blocks,
      stopReason,
      usage: this.#usage ?? NO_USAGE,
      isUsageReported: this.#usage !== null,
      truncated: isCut || blocks.some((block) => block.type === 'call' && block.truncated === true),
    };
  }

  /** What nobody watches: ends and reports. */
  #note(event: Exclude<AnthropicEvent, { type: 'block_start' | 'block_delta' }>): void {
    switch (event.type) {
      case 'block_stop':
        this.#stop(event.index);
        break;
      case 'message_start':
        this.#report(event.usage);
        break;
      case 'message_delta':
        this.#report(event.usage);
        this.#stopReason = event.stopReason ?? this.#stopReason;
        break;
      case 'message_stop':
        this.#isStopped = true;
        break;
      case 'other':
        break;
    }
  }

  #report(usage: RawAnthropicUsage | null): void {
    if (usage !== null) this.#usage = mergeAnthropicUsage(this.#usage ?? NO_USAGE, usage);
  }

  #start(index: number, start: Fields): readonly ModelDelta[] {
    const type = textOf(start, 'type');
    const text = textOf(start, type === 'thinking' ? 'thinking' : 'text');
    const block = { start, type, text, signature: textOf(start, 'signature'), isStopped: false };
    this.#blocks.set(index, block);
    if (type === 'tool_use') return [this.#callDelta(block, textOf(start, 'name'), '')];
    return type === 'text' && text !== '' ? [{ type: 'text', text }] : [];
  }

  #extend(index: number, delta: Fields): readonly ModelDelta[] {
    const block = this.#blocks.get(index);
    if (block === undefined || block.isStopped) return [];
    const type = textOf(delta, 'type');
    if (type === 'signature_delta') block.signature += textOf(delta, 'signature');
    const piece = textOf(delta, PIECES.get(type) ?? '');
    block.text += piece;
    if (piece === '' || block.type === 'thinking') return [];
    return [block.type === 'tool_use' ? this.#callDelta(block, '', piece) : { type: 'text', text: piece }];
  }

  #stop(index: number): void {
    const block = this.#blocks.get(index);
    if (block !== undefined) block.isStopped = true;
  }

  #callDelta(block: StreamedBlock, name: string, text: string): ModelDelta {
    const calls = [...this.#blocks.values()].filter(({ type }) => type === 'tool_use');
    return { type: 'call', index: calls.indexOf(block), name, arguments: text };
  }

  /** In the order of the stream. Reasoning of which one block is cut or unsigned is dropped whole (L21). */
  #finishBlocks(model: string, isCut: boolean): AssistantMessage['blocks'] {
    const blocks = [...this.#blocks.values()];
    const provider = anthropicOpaqueProvider(model);
    const keepsReasoning = blocks.every(isSigned);
    return blocks.flatMap((block): AssistantMessage['blocks'] => {
      switch (block.type) {
        case 'text':
          return block.text === '' ? [] : [{ type: 'text', text: block.text }];
        case 'tool_use':
          return [toCall(block, isCut)];
        case 'thinking':
        case 'redacted_thinking':
          return keepsReasoning ? [{ type: 'opaque', provider, raw: rawOf(block) }] : [];
        default:
          return [];
      }
    });
  }
}

function isSigned(block: StreamedBlock): boolean {
  if (block.type === 'redacted_thinking') return block.isStopped;
  return block.type !== 'thinking' || (block.isStopped && block.signature !== '');
}

function rawOf({ start, type, text, signature }: StreamedBlock): string {
  return JSON.stringify(type === 'thinking' ? { ...start, thinking: text, signature } : start);
}

/** A call without arguments streams none: its start says what they are. A block that was not closed is cut. */
function toCall(block: StreamedBlock, isCut: boolean) {
  const input = block.start['input'];
  const told = typeof input === 'object' && input !== null ? JSON.stringify(input) : '';
  const call = {
    id: textOf(block.start, 'id'),
    name: textOf(block.start, 'name'),
    arguments: block.text === '' && block.isStopped ? told : block.text,
  };
  return callBlock(call, isCut || !block.isStopped);
}
