import type { Checked } from '../refusal.js';
import type { Answer, Usage } from './answer.js';
import type { ModelCall } from './model-call.js';

/** One Server-Sent Event, ready to be written. `part` lets a delivery leave out the ends of a stream. */
export interface Frame {
  readonly part: 'content' | 'finish' | 'usage' | 'done';
  readonly text: string;
}

/** Everything a protocol needs to write an answer. `createdAt` is in seconds since 1970. */
export interface Reply {
  readonly call: ModelCall;
  readonly id: string;
  readonly createdAt: number;
  readonly answer: Answer;
  readonly usage: Usage;
  /** Code points a streamed piece holds at most. */
  readonly chunkSize: number;
}

/** An error as a script or a refusal asks for it. */
export interface ErrorReply {
  readonly status: number;
  readonly message: string;
  readonly type: string | null;
  readonly code: string | null;
  readonly param: string | null;
}

/** The seam between the server and one provider's wire format: parse, then write; nothing here does I/O. */
export interface Protocol {
  readonly path: string;
  read(body: Uint8Array, headers: Readonly<Record<string, string>>): Checked<ModelCall>;
  renderError(error: ErrorReply): unknown;
  renderWhole(reply: Reply): unknown;
  renderFrames(reply: Reply): readonly Frame[];
}
