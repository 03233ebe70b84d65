import { limitsOf } from '#agents';
import type { BatchCall } from '#transcripts';
import type { AnsweredCall } from './prepare-call.js';
import type { RunContext } from './run-context.js';

const settled: ReadonlySet<BatchCall['state']> = new Set(['started', 'asked', 'approved', 'denied']);

/**
 * The answer to a call beyond the limit of tool calls, or null while there is room. `ahead` counts the calls of the batch that
 * are let through and not answered yet. A call that was begun, or that a person was asked about, was within the limit then.
 */
export function beyondToolBudget(call: BatchCall, run: RunContext, ahead: number): AnsweredCall | null {
  const { maxToolCalls } = limitsOf(run.log.meta, run.limits);
  const isSettled = settled.has(call.state);
  if (isSettled || run.log.meta.toolCalls + ahead < maxToolCalls) return null;
  const text = `The limit of ${maxToolCalls} tool calls is reached; nothing was run. Answer with what you have.`;
  return { step: 'answer', call, outcome: 'denied', text };
}
