import type { OpaqueBlock } from '#transcripts';

import { callBlock, type FinishedTurn, NO_USAGE } from './finished-turn.js';
import type { ModelDelta, StopReason, TokenUsage } from './model.js';
import type { OpenAiCallPiece, OpenAiChunk } from './openai-chunk.js';
import { openAiOpaqueProvider, type OpaqueField } from './openai-opaque.js';
import { readOpenAiUsage } from './openai-usage.js';
import { mergeReasoningDetails } from './reasoning-details.js';

interface StreamedCall {
  readonly index: number | null;
  id: string;
  name: string;
  arguments: string;
}

function toStopReason(finishReason: string): StopReason {
  switch (finishReason) {
    case 'stop':
      return 'end';
    case 'tool_calls':
    case 'length':
    case 'content_filter':
      return finishReason;
    default:
      return 'other';
  }
}

/** Folds the chunks of one streamed chat completion into a turn. */
export class OpenAiTurn {
  readonly #opaqueFields: readonly OpaqueField[];
  readonly #calls: StreamedCall[] = [];
  readonly #details: object[] = [];
  #text = '';
  #reasoning = '';
  #finishReason: string | null = null;
  #usage: TokenUsage | null = null;

  constructor(opaqueFields: readonly OpaqueField[]) {
    this.#opaqueFields = opaqueFields;
  }

  /** Takes one chunk in and answers what it adds for those who watch. */
  add(chunk: OpenAiChunk): readonly ModelDelta[] {
    // Some routers end a broken stream with a finish reason of its own: that is no stop event of the model.
    if (chunk.finishReason !== null && chunk.finishReason !== 'error')
      this.#finishReason = chunk.finishReason;
    if (chunk.usage !== null) this.#usage = readOpenAiUsage(chunk.usage);
    this.#text += chunk.text;
    this.#reasoning += chunk.reasoningContent;
    this.#details.push(...chunk.reasoningDetails);
    const deltas: ModelDelta[] = chunk.text === '' ? [] : [{ type: 'text', text: chunk.text }];
    return deltas.concat(chunk.calls.map((piece) => this.#addCall(piece)));
  }

  /** Whether the stop event was seen. */
  get isStopped(): boolean {
    return this.#finishReason !== null;
  }

  /** The turn, or null while the stop event is missing. `model` is the name the turn was asked of. */
  finish(model: string): FinishedTurn | null {
    if (this.#finishReason === null) return null;
    const stopReason = toStopReason(this.#finishReason);
    // Which of several calls the cut went through is not said, so none of them counts as whole.
    const isCut = stopReason !== 'end' && stopReason !== 'tool_calls';
    const calls = this.#calls.map((call) => callBlock(call, isCut));
    return {
      blocks: [
        ...this.#opaque(model),
        ...(this.#text === '' ? [] : [{ type: 'text' as const, text: this.#text }]),
        ...calls,
      ],
      stopReason,
      usage: this.#usage ?? NO_USAGE,
      isUsageReported: this.#usage !== null,
      truncated: isCut || calls.some((call) => call.truncated === true),
    };
  }

  #addCall(piece: OpenAiCallPiece): ModelDelta {
    const call = this.#continued(piece) ?? this.#started(piece);
    if (call.id === '') call.id = piece.id;
    // Names come whole, and some endpoints repeat them in every piece.
    const isNamed = call.name === '' && piece.name !== '';
    if (isNamed) call.name = piece.name;
    call.arguments += piece.arguments;
    return {
      type: 'call',
      index: this.#calls.indexOf(call),
      name: isNamed ? piece.name : '',
      arguments: piece.arguments,
    };
  }

  /** The call that a piece belongs to: some endpoints give every call the same index, so a new id opens a new call. */
  #continued(piece: OpenAiCallPiece): StreamedCall | undefined {
    const call =
      piece.index === null ? this.#calls.at(-1) : this.#calls.findLast(({ index }) => index === piece.index);
    const isOther = call !== undefined && piece.id !== '' && call.id !== '' && piece.id !== call.id;
    return isOther ? undefined : call;
  }

  #started(piece: OpenAiCallPiece): StreamedCall {
    const call = { index: piece.index, id: piece.id, name: '', arguments: '' };
    this.#calls.push(call);
    return call;
  }

  #opaque(model: string): readonly OpaqueBlock[] {
    const members: Partial<Record<OpaqueField, unknown>> = {};
    if (this.#details.length > 0) members.reasoning_details = mergeReasoningDetails(this.#details);
    if (this.#reasoning !== '') members.reasoning_content = this.#reasoning;
    const kept = this.#opaqueFields.filter((field) => members[field] !== undefined);
    if (kept.length === 0) return [];
    const raw = JSON.stringify(Object.fromEntries(kept.map((field) => [field, members[field]])));
    return [{ type: 'opaque', provider: openAiOpaqueProvider(model), raw }];
  }
}
