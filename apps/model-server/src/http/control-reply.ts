import type { ServerContext } from './server-context.js';

/** One control request: the captured part of its path, its query, and its body (null when there is none to read). */
export interface ControlCall {
  readonly argument: string;
  readonly query: URLSearchParams;
  readonly body: Buffer | null;
  readonly context: ServerContext;
}

/** What a control route answers: JSON, raw bytes, or nothing. */
export type ControlReply =
  | { readonly status: number; readonly json: unknown }
  | { readonly status: 200; readonly bytes: Buffer }
  | { readonly status: 204 };

export type ControlRoute = (call: ControlCall) => ControlReply;

/** A refusal of a control request. */
export function failed(status: number, message: string, issues: readonly string[] = []): ControlReply {
  return { status, json: { error: { message, type: 'control_error', param: null, code: null, issues } } };
}
