import { toolFingerprint } from '#agents';
import { type AgentEvent, type BatchCall, unansweredCalls } from '#transcripts';
import type { ToolResult } from '../tools/tool.js';
import { gateCalls } from './gate-turn.js';
import { approvalRequest, type PreparedCall, prepareCall } from './prepare-call.js';
import type { RunContext } from './run-context.js';
import { RunLostError } from './run-log.js';

type Runnable = Extract<PreparedCall, { step: 'run' }>;

/**
 * Brings the current batch as far as it goes now. Calls of read-only tools that stand next to each other run at once,
 * every other call alone and in the model's order; each result is recorded as it ends. Returns `parked` when calls are
 * left that a person must decide on; nothing of the run may go on then.
 */
export async function executeBatch(run: RunContext): Promise<'answered' | 'parked'> {
  const ungated = unansweredCalls(run.log.meta).filter((call) => call.state === 'open');
  if (ungated.length > 0) await run.log.record(...gateCalls(ungated, run.bound));
  const waiting: PreparedCall[] = [];
  const together: Runnable[] = [];
  for (const call of unansweredCalls(run.log.meta)) {
    const prepared = await prepareCall(call, run);
    if (prepared.step === 'run' && prepared.executor.readOnly) {
      together.push(prepared);
      continue;
    }
    await runTogether(together.splice(0), run);
    if (prepared.step === 'run') await runTogether([prepared], run);
    else if (prepared.step === 'answer') await run.log.record(finished(call, run.epoch, prepared));
    else waiting.push(prepared);
  }
  await runTogether(together, run);
  return waiting.length === 0 ? 'answered' : park(waiting, run);
}

async function runTogether(calls: readonly Runnable[], run: RunContext): Promise<void> {
  if (calls.length === 0) return;
  run.signal.throwIfAborted();
  // Committed before the effect: a call without this fact is known not to have begun (RUN-2).
  await run.log.record(...calls.map((call) => started(call, run.epoch)));
  const settled = await Promise.allSettled(calls.map((call) => runOne(call, run)));
  const failure = settled.find((outcome) => outcome.status === 'rejected');
  if (failure !== undefined) throw failure.reason;
}

async function runOne(prepared: Runnable, run: RunContext): Promise<void> {
  const { call } = prepared;
  const since = run.services.now().getTime();
  const result = await withoutThrowing(prepared, run);
  if (run.signal.aborted)
    throw new RunLostError('The run was stopped while the call was under way.', { cause: run.signal.reason });
  const durationMs = Math.max(0, run.services.now().getTime() - since);
  const event = finished(call, run.epoch, { ...result, durationMs });
  await run.log.record(result.full === undefined ? event : withFull(event, result.full));
}

/** A tool that throws is a broken tool: its call is answered like any failing one, and its siblings go on (L19). */
async function withoutThrowing(prepared: Runnable, run: RunContext): Promise<ToolResult> {
  const { call, executor } = prepared;
  try {
    return await executor.execute({
      argumentsText: call.arguments,
      arguments: prepared.arguments,
      context: {
        projectRoot: run.runtime.projectRoot,
        agentId: run.log.meta.agentId,
        tenant: run.log.meta.tenant,
        call: call.key,
        runId: run.runId,
        signal: run.signal,
        env: () => run.services.environment,
        idempotencyKey: `${run.log.meta.agentId}/${call.key.turn}/${call.key.index}`,
      },
    });
  } catch (thrown) {
    return {
      outcome: 'error',
      text: `The tool failed: ${thrown instanceof Error ? thrown.message : String(thrown)}`,
    };
  }
}

async function park(waiting: readonly PreparedCall[], run: RunContext): Promise<'answered' | 'parked'> {
  const requests = waiting
    .filter((prepared) => prepared.step === 'ask')
    .map((prepared) => approvalRequest(prepared, run, toolFingerprint(prepared.tool)));
  const asked = requests.flatMap((event) =>
    event.type === 'ApprovalRequested' ? [event.data.approvalId] : [],
  );
  const open = waiting.flatMap((prepared) =>
    prepared.step === 'wait' && prepared.call.approvalId !== null ? [prepared.call.approvalId] : [],
  );
  const decision = await run.log.append((meta) => {
    const stillOpen = open.filter((id) => meta.approvals.has(id));
    const waitingFor = [...stillOpen, ...asked];
    // An answer that came in meanwhile is acted on by this very run.
    if (waitingFor.length === 0) return { ok: true, events: [] };
    return {
      ok: true,
      events: [
        ...requests,
        {
          type: 'RunParked',
          data: { runId: run.runId, epoch: run.epoch, reason: 'approval', waitingFor, delayMs: null },
        },
      ],
    };
  });
  return decision.ok && decision.events.length === 0 ? 'answered' : 'parked';
}

function started(prepared: Runnable, epoch: number): AgentEvent {
  const { call, tool, executor, rule } = prepared;
  const repeatable = executor.readOnly || executor.idempotent;
  return {
    type: 'ToolCallStarted',
    data: { call: call.key, name: call.name, epoch, tool: tool.identity, repeatable, rule },
  };
}

interface CallEnd {
  readonly outcome: 'ok' | 'error' | 'denied';
  readonly text: string;
  readonly durationMs?: number;
}

function finished(call: BatchCall, epoch: number, { outcome, text, durationMs = 0 }: CallEnd): AgentEvent {
  const data = { call: call.key, name: call.name, epoch, outcome, content: text, durationMs };
  return { type: 'ToolCallFinished', data };
}

function withFull(event: AgentEvent, full: string): AgentEvent {
  return event.type === 'ToolCallFinished' ? { type: event.type, data: { ...event.data, full } } : event;
}
