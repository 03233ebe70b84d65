import type { ToolCall } from '../tools/tool.js';
import { type ValidatedArguments, validateArguments } from '../tools/validate-arguments.js';
import type { CheckedCall } from './checked-call.js';
import { lineageOf } from './lineage-of.js';
import type { RunContext } from './run-context.js';

/** A call and its arguments before it is known what they stand for. */
export type GivenCall = Omit<CheckedCall, 'snapshot'>;

export type ResolvedCheck =
  { readonly ok: true; readonly checked: CheckedCall } | { readonly ok: false; readonly problem: string };

const anyObject = '{"type":"object"}';

/** Judges the argument text of a call; a tool that resolves its arguments judges their content itself, in its own words and order. */
export function validateFor(executor: CheckedCall['executor'], text: string): ValidatedArguments {
  return validateArguments(executor.resolve === undefined ? executor.parameters : anyObject, text);
}

/**
 * Finds out what valid arguments stand for (spec 02 §1): nobody is asked about a launch that would be refused anyway. The executor of the
 * answer does what was found out, without a second look.
 */
export async function resolveCall(given: GivenCall, run: RunContext): Promise<ResolvedCheck> {
  const { executor, call } = given;
  if (executor.resolve === undefined) return { ok: true, checked: { ...given, snapshot: null } };
  const resolved = await executor.resolve(toolCall(given, run), call.snapshot);
  if (!resolved.ok) return { ok: false, problem: resolved.text };
  const doing = { ...executor, execute: () => resolved.execute() };
  return { ok: true, checked: { ...given, executor: doing, snapshot: resolved.snapshot } };
}

/** What a run lends to one call. */
export function toolCall(given: GivenCall, run: RunContext): ToolCall {
  const { call, argumentsText, arguments: args } = given;
  const { agentId, tenant } = run.log.meta;
  return {
    argumentsText,
    arguments: args,
    context: {
      projectRoot: run.folder,
      agentId,
      lineage: lineageOf(run.log.meta),
      tenant,
      call: call.key,
      runId: run.runId,
      signal: run.signal,
      env: () => run.services.environment,
      idempotencyKey: `${agentId}/${call.key.turn}/${call.key.index}`,
    },
  };
}
