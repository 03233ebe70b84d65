/**
 * Why a model gave no turn, by what the runtime does next (spec 04 §2):
 *
 * - `retryable` throttling, overload, a cut or silent stream: ask again after `delayMs`;
 * - `unreachable` no connection at all: ask again, with backoff;
 * - `quota`, `credentials`: block the agent; revived when an operator mended it, never retried as throttling;
 * - `invalid_request`: fail the agent, the same bytes would be refused for ever (C19);
 * - `context_overflow`: compact, or fail when that was done already;
 * - `cancelled`: our own signal fired; nobody is told.
 */
export type ModelFaultCode =
  | 'retryable'
  | 'unreachable'
  | 'quota'
  | 'credentials'
  | 'invalid_request'
  | 'context_overflow'
  | 'cancelled';

export interface ModelFaultDetails {
  /** The HTTP status, where there was an answer. */
  readonly status?: number;
  /** How long the provider asked us to stay away, clamped; absent when it named no usable time. */
  readonly delayMs?: number;
  /** Which message of `ModelRequest.messages` made the request unsendable. */
  readonly messageIndex?: number;
  readonly cause?: unknown;
}

const marker = Symbol.for('offshoot.model-fault');

/** Thrown by `Model.stream`. Recognise it with `isModelFault` and decide by `code`. */
export class ModelFault extends Error {
  override readonly name = 'ModelFault';
  readonly [marker] = true;
  readonly code: ModelFaultCode;
  readonly status: number | null;
  readonly delayMs: number | null;
  readonly messageIndex: number | null;

  constructor(code: ModelFaultCode, message: string, details: ModelFaultDetails = {}) {
    super(message, 'cause' in details ? { cause: details.cause } : {});
    this.code = code;
    this.status = details.status ?? null;
    this.delayMs = details.delayMs ?? null;
    this.messageIndex = details.messageIndex ?? null;
  }
}

/** True for a fault of this family, also from another copy of this module. */
export function isModelFault(thrown: unknown): thrown is ModelFault {
  return typeof thrown === 'object' && thrown !== null && marker in thrown;
}
