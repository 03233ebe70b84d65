import type { AgentEvent, BatchCall } from '#transcripts';
import type { ToolResult } from '../tools/tool.js';
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

export interface CallEnd extends Pick<ToolResult, 'text' | 'full' | 'picture'> {
  readonly outcome: 'ok' | 'error' | 'denied';
  readonly durationMs?: number;
}

/** The one result of a call. */
export function callFinished(call: BatchCall, epoch: number, end: CallEnd): AgentEvent {
  const { outcome, text, full, picture, durationMs = 0 } = end;
  const data = {
    ...{ call: call.key, name: call.name, epoch, outcome, content: text, durationMs },
    ...(full === undefined ? {} : { full }),
    ...(picture === undefined ? {} : { picture }),
  };
  return { type: 'ToolCallFinished', data };
}
