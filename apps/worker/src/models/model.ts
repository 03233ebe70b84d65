import type { AssistantMessage, Message } from '#transcripts';

/**
 * Words of this room. A *request* is what a run asks of a model, in Offshoot's own form; a *rendering* is the body text
 * a provider gets for it; a *reply* is one whole turn of the model, which counts only with its stop event; a *fault* is
 * why there is no reply, named by what the runtime does next (spec 04 §2).
 */

/** One tool as the model sees it. `parametersText` is the JSON text of its schema and is sent as it stands. */
export interface ToolDeclaration {
  /** The wire name, `^[A-Za-z0-9_-]{1,64}$`. */
  readonly name: string;
  readonly description: string;
  readonly parametersText: string;
}

/** What one turn is asked with. Equal requests render to equal bytes, and a longer history to a longer rendering. */
export interface ModelRequest {
  /** The name the provider knows the model by: `gpt-5` of `openai:gpt-5`. */
  readonly model: string;
  readonly system: string | null;
  /** In the canonical order of the caller (P01); never sorted here. */
  readonly declarations: readonly ToolDeclaration[];
  /** A JSON object as text, its members sent verbatim: temperature, token cap and the like. */
  readonly settings: string;
  readonly messages: readonly Message[];
  /** How many messages, from the first, each ancestor handed on, the farthest ancestor first; empty where nothing was inherited. */
  readonly inheritedLengths: readonly number[];
}

/** Who asks, for the provider's logs and the recordings of the scripted server. */
export interface RequestOrigin {
  readonly agentId: string;
  readonly runId: string;
  readonly epoch: number;
}

/** A piece of a turn while it streams. Nothing may be acted upon before the reply: `restarted` takes back all of it. */
export type ModelDelta =
  | { readonly type: 'text'; readonly text: string }
  /** More of the `index`-th call of the turn; `name` is empty after its first piece. */
  | { readonly type: 'call'; readonly index: number; readonly name: string; readonly arguments: string }
  | { readonly type: 'restarted' };

export interface StreamOptions {
  readonly signal: AbortSignal;
  /** Must not throw and is not waited for. */
  readonly onDelta?: (delta: ModelDelta) => void;
  readonly origin?: RequestOrigin;
}

/** Tokens of one request, each counted once: `inputTokens` leaves out what was read from or written to a cache (P10). */
export interface TokenUsage {
  readonly inputTokens: number;
  readonly cachedTokens: number;
  readonly cacheWriteTokens: number;
  readonly outputTokens: number;
}

/** What was sent, for `TurnRecorded`. Digests are SHA-256 in lower-case hex over UTF-8 bytes, sizes count those bytes. */
export interface RequestFacts {
  readonly digest: string;
  readonly bytes: number;
  /** Of the body up to, and without, its last user message: what a fork shares with its parent. */
  readonly prefixDigest: string;
  readonly prefixBytes: number;
}

/** Why the model stopped. Only after `end` and `tool_calls` can a call of the turn be whole. */
export type StopReason = 'end' | 'tool_calls' | 'length' | 'content_filter' | 'other';

/** One whole turn. A call block with `truncated` must be answered and never executed (L07). */
export interface ModelReply {
  readonly blocks: AssistantMessage['blocks'];
  readonly stopReason: StopReason;
  readonly usage: TokenUsage;
  /** False when the provider sent no usage: the zeros then mean unknown. */
  readonly isUsageReported: boolean;
  readonly request: RequestFacts;
  /** True when the output was cut or any call of it is truncated. */
  readonly truncated: boolean;
}

/** The port to one model of one provider. */
export abstract class Model {
  /** What waits for a limiter together: the provider and its key, never the key itself. */
  abstract readonly limiterKey: string;

  /**
   * Asks for one turn, once: no retry happens here. Throws `ModelFault` for every way in which there is no whole turn;
   * a request that a provider would refuse for its shape is refused before anything is sent.
   */
  abstract stream(request: ModelRequest, options: StreamOptions): Promise<ModelReply>;
}
