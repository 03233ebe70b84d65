import { Model, type ModelReply, type ModelRequest, type StreamOptions } from '../model.js';

export const aReply: ModelReply = {
  blocks: [{ type: 'text', text: 'done' }],
  stopReason: 'end',
  usage: { inputTokens: 1, cachedTokens: 0, cacheWriteTokens: 0, outputTokens: 1 },
  isUsageReported: true,
  request: { digest: '', bytes: 0, prefixDigest: '', prefixBytes: 0 },
  truncated: false,
};

/** A model whose attempts end as listed, the last entry again and again; each says a word first. */
export class ScriptedAttempts extends Model {
  readonly limiterKey = 'scripted';
  readonly #ends: readonly (ModelReply | Error)[];
  attempts = 0;

  constructor(...ends: readonly (ModelReply | Error)[]) {
    super();
    this.#ends = ends;
  }

  override stream(_request: ModelRequest, options: StreamOptions): Promise<ModelReply> {
    const end = this.#ends[Math.min(this.attempts, this.#ends.length - 1)] ?? aReply;
    this.attempts += 1;
    options.onDelta?.({ type: 'text', text: `try ${this.attempts}` });
    return end instanceof Error ? Promise.reject(end) : Promise.resolve(end);
  }
}
