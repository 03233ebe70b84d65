import type { Conversation } from '../conversation/conversation.js';

/** A request that passed every check, free of its protocol. */
export interface ModelCall {
  /** As the client wrote it, e.g. `scripted:demo`. */
  readonly model: string;
  readonly stream: boolean;
  /** Whether a stream tells its usage (OpenAI: only when asked for). */
  readonly includeUsage: boolean;
  /** Cap on the answer in tokens, null when the client set none. */
  readonly maxOutputTokens: number | null;
  /** Bytes from which a client asked for caching: null when the protocol caches without being asked. */
  readonly cacheableBytes: number | null;
  readonly conversation: Conversation;
  readonly toolNames: readonly string[];
}
