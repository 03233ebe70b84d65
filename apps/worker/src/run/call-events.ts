import type { AgentEvent, BatchCall } from '#transcripts';
import type { ToolResult } from '../tools/tool.js';
import type { Classified } from '../permissions/classifier.js';
import type { PreparedCall } from './prepare-call.js';
import type { RunContext } from './run-context.js';

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

/** What the classifier said, and what that cost; counted with the usage of the agent. */
export function callClassified(
  { key, name }: BatchCall,
  { verdict, reason, model, usage }: Classified,
  { epoch, services }: RunContext,
): AgentEvent {
  // A model without a price costs nothing that anybody could say.
  const costUsd = services.price(model, usage) ?? 0;
  return {
    type: 'ToolCallClassified',
    data: { call: key, name, epoch, verdict, reason, model, usage: { ...usage, costUsd } },
  };
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
