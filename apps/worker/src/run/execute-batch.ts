import { unansweredCalls } from '#transcripts';
import type { ToolResult } from '../tools/tool.js';
import { callFinished, callStarted, type Runnable } from './call-events.js';
import { gateCalls } from './gate-turn.js';
import { hookedCall } from './hooked-call.js';
import { type AwaitingCall, parkRun, type UnsettledCall } from './park-run.js';
import { type PreparedCall, prepareCall } from './prepare-call.js';
import type { RunContext } from './run-context.js';
import { RunLostError } from './run-log.js';
import { toolCall } from './tool-call.js';
import { beyondToolBudget } from './tool-budget.js';

/**
 * Brings the current batch as far as it goes now. Calls of read-only tools that stand next to each other run at once,
 * every other call alone and in the model's order; each result is recorded as it ends. A call that waits for an agent holds
 * up no other one. Returns `parked` when calls are left that somebody else must settle; nothing of the run may go on then.
 */
export async function executeBatch(run: RunContext): Promise<'answered' | 'parked'> {
  const ungated = unansweredCalls(run.log.meta).filter((call) => call.state === 'open');
  if (ungated.length > 0) await run.log.record(...gateCalls(ungated, run.bound));
  const unsettled: UnsettledCall[] = [];
  const together: Runnable[] = [];
  for (const call of unansweredCalls(run.log.meta)) {
    const ahead = together.length + unsettled.length;
    const prepared = beyondToolBudget(call, run, ahead) ?? (await prepareCall(call, run));
    if (prepared.step === 'run' && prepared.executor.readOnly) {
      together.push(prepared);
      continue;
    }
    unsettled.push(...(await runTogether(together.splice(0), run)));
    unsettled.push(...(await bringOn(prepared, run)));
  }
  unsettled.push(...(await runTogether(together, run)));
  return unsettled.length === 0 ? 'answered' : parkRun(unsettled, run);
}

async function bringOn(prepared: PreparedCall, run: RunContext): Promise<readonly UnsettledCall[]> {
  switch (prepared.step) {
    case 'run':
      return runTogether([prepared], run);
    case 'answer':
      await run.log.record(callFinished(prepared.call, run.epoch, prepared));
      return [];
    case 'ask':
    case 'question':
    case 'wait':
      return [prepared];
  }
}

async function runTogether(calls: readonly Runnable[], run: RunContext): Promise<readonly AwaitingCall[]> {
  if (calls.length === 0) return [];
  run.signal.throwIfAborted();
  // Committed before the effect: a call without this fact is known not to have begun (RUN-2).
  await run.log.record(...calls.map((call) => callStarted(call, run.epoch)));
  const settled = await Promise.allSettled(calls.map((call) => runOne(call, run)));
  const failure = settled.find((outcome) => outcome.status === 'rejected');
  if (failure !== undefined) throw failure.reason;
  return settled.flatMap((outcome) =>
    outcome.status === 'fulfilled' && outcome.value !== null ? [outcome.value] : [],
  );
}

/** Null once the result is recorded; a call that waits for an agent is answered when that agent has ended. */
async function runOne(prepared: Runnable, run: RunContext): Promise<AwaitingCall | null> {
  const { call } = prepared;
  const since = run.services.now().getTime();
  const result = await withoutThrowing(prepared, run);
  if (run.signal.aborted) {
    run.services.onLateResult(run.log.meta.tenant);
    throw new RunLostError('The run was stopped while the call was under way.', { cause: run.signal.reason });
  }
  if (result.awaits !== undefined) return { step: 'await', call, childId: result.awaits };
  const durationMs = Math.max(0, run.services.now().getTime() - since);
  await run.log.record(callFinished(call, run.epoch, { ...result, durationMs }));
  const { outcome, text } = result;
  await run.services.hooks.after(hookedCall(prepared, run), { outcome, text, durationMs }, run.signal);
  return null;
}

/** A tool that throws is a broken tool: its call is answered like any failing one, and its siblings go on (L19). */
async function withoutThrowing(prepared: Runnable, run: RunContext): Promise<ToolResult> {
  const { executor } = prepared;
  try {
    return await executor.execute(toolCall(prepared, run));
  } catch (thrown) {
    return {
      outcome: 'error',
      text: `The tool failed: ${thrown instanceof Error ? thrown.message : String(thrown)}`,
    };
  }
}
