/**
 * The loop of one run. Its modes, in the order they are looked at each time round:
 *
 * 1 deliver   queued messages enter the history, only where no batch is open
 * 2 batch     calls of the last turn without a result are brought as far as they go; may park the run
 * 3 judge     budgets and the no-progress breaker over the whole life of the agent; may end it
 * 4 turn      the surface is bound anew where servers changed it; the model is asked; the turn and the gate's decisions
 *             are recorded; may wait or block
 * 5 finish    the last turn called nothing: the one terminal event, unless a message came in meanwhile
 *
 * Every step leaves the transcript in a state from which another worker can go on. Leaving the loop by an exception
 * writes nothing; the caller decides what a lost, drained or broken run means.
 */
import { unansweredCalls } from '#transcripts';
import { refreshSurface } from '../mcp/refresh-surface.js';
import type { ProviderLimiter } from '../models/provider-limiter.js';
import { executeBatch } from './execute-batch.js';
import { finishRun } from './finish-run.js';
import { judgeProgress } from './judge-progress.js';
import type { RunContext } from './run-context.js';
import { takeTurn, type TurnOutcome } from './take-turn.js';

/** How a run ended; whatever it is, it is recorded already. */
export type RunEnd = 'finished' | 'parked' | 'blocked';

/** The run stopped at a boundary because its worker is shutting down; another worker goes on from here. */
export class DrainedError extends Error {
  readonly code = 'DRAINED';
}

export async function runAgent(run: RunContext, limiter: ProviderLimiter): Promise<RunEnd> {
  const startedAtMs = run.services.now().getTime();
  for (;;) {
    run.signal.throwIfAborted();
    if (run.draining.aborted) throw new DrainedError('The worker is shutting down.');
    const end = await step(run, limiter, run.services.now().getTime() - startedAtMs);
    if (end !== null) return end;
  }
}

async function step(run: RunContext, limiter: ProviderLimiter, elapsedMs: number): Promise<RunEnd | null> {
  const { meta } = run.log;
  if (unansweredCalls(meta).length > 0) return (await executeBatch(run)) === 'parked' ? 'parked' : null;
  if (meta.pending.length > 0) {
    await deliver(run);
    return null;
  }
  if (!needsTurn(run)) return finish(run);
  const verdict = judgeProgress(meta, run.limits, elapsedMs);
  if (verdict !== null) return endWith(run, 'failed', verdict.reason, true);
  await refreshSurface(run);
  return afterTurn(run, await takeTurn(run, limiter));
}

function deliver(run: RunContext): Promise<unknown> {
  return run.log.append((meta) => ({
    ok: true,
    events:
      meta.pending.length === 0
        ? []
        : [
            {
              type: 'MessageDelivered',
              data: { messageIds: meta.pending.map((message) => message.messageId) },
            },
          ],
  }));
}

/** The model's turn comes when the last word is not its own. */
function needsTurn(run: RunContext): boolean {
  const last = run.log.history.build().messages.at(-1);
  return last !== undefined && last.role !== 'assistant';
}

async function finish(run: RunContext): Promise<RunEnd | null> {
  return endWith(run, 'completed', run.log.meta.kind === 'session' ? 'idle' : 'answered', false);
}

async function endWith(
  run: RunContext,
  status: 'completed' | 'failed',
  reason: string,
  partial: boolean,
): Promise<RunEnd | null> {
  return (await finishRun(run, { status, reason, partial })) ? 'finished' : null;
}

async function afterTurn(run: RunContext, outcome: TurnOutcome): Promise<RunEnd | null> {
  const { runId, epoch } = run;
  switch (outcome.kind) {
    case 'recorded':
      return outcome.reply.stopReason === 'length' && unansweredCalls(run.log.meta).length === 0
        ? endWith(run, 'completed', 'output_limit', true)
        : null;
    case 'wait':
      await run.log.record({
        type: 'RunParked',
        data: {
          runId,
          epoch,
          reason: 'rate_limit',
          waitingFor: [],
          delayMs: outcome.delayMs,
          attempts: outcome.attempts,
        },
      });
      return 'parked';
    case 'blocked':
      await run.log.record({
        type: 'RevivalBlocked',
        data: { reason: outcome.reason, detail: outcome.detail },
      });
      return 'blocked';
    case 'failed':
      return endWith(run, 'failed', outcome.reason, true);
  }
}
