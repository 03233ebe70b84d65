import type { ModelCaches } from '../cache/model-caches.js';
import type { RequestLog } from '../recording/request-log.js';
import type { Recorder } from '../recording/record-to-disk.js';
import type { ErrorCounter } from '../scripts/error-counter.js';
import type { ScriptLibrary } from '../scripts/script-library.js';

/** What the routes share. */
export interface ServerContext {
  readonly library: ScriptLibrary;
  readonly caches: ModelCaches;
  readonly log: RequestLog;
  readonly errors: ErrorCounter;
  /** Tokens a request may hold when its script names no window. */
  readonly windowTokens: number;
  readonly record: Recorder | null;
  readonly nowMs: () => number;
  /** Told of faults that must not end a request, such as a full disk while recording. */
  readonly onFault: (error: unknown) => void;
}
