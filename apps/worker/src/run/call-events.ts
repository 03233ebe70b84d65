import type { AgentEvent, BatchCall } from '#transcripts';
import type { PreparedCall } from './prepare-call.js';

/** A call that may have its effect now. */
export type Runnable = Extract<PreparedCall, { step: 'run' }>;

/** Recorded before the effect. */
export function callStarted(prepared: Runnable, epoch: number): AgentEvent {
  const { call, tool, executor, rule, argumentsText, snapshot } = prepared;
  const repeatable = executor.readOnly || executor.idempotent;
  const rewritten = argumentsText === call.arguments ? {} : { arguments: argumentsText };
  const resolved = snapshot === null ? {} : { snapshot };
  const data = { call: call.key, name: call.name, epoch, tool: tool.identity, repeatable, rule };
  return { type: 'ToolCallStarted', data: { ...data, ...rewritten, ...resolved } };
}

export interface CallEnd {
  readonly outcome: 'ok' | 'error' | 'denied';
  readonly text: string;
  /** The whole output when `text` was cut. */
  readonly full?: string;
  readonly durationMs?: number;
}

/** The one result of a call. */
export function callFinished(call: BatchCall, epoch: number, end: CallEnd): AgentEvent {
  const { outcome, text, full, durationMs = 0 } = end;
  const data = { call: call.key, name: call.name, epoch, outcome, content: text, durationMs };
  return { type: 'ToolCallFinished', data: full === undefined ? data : { ...data, full } };
}
