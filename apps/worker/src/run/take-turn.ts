import type { AgentEvent } from '#transcripts';
import { isModelFault, type ModelFault } from '../models/model-fault.js';
import type { ModelReply, ModelRequest } from '../models/model.js';
import type { ProviderLimiter } from '../models/provider-limiter.js';
import { callWithRetry, type CallOutcome } from '../models/retry.js';
import { gateCalls } from './gate-turn.js';
import type { RunContext } from './run-context.js';
import { RunLostError } from './run-log.js';

/** How a turn came out: recorded, a durable wait, a block that an operator mends, or the end of the agent. */
export type TurnOutcome =
  | { readonly kind: 'recorded'; readonly reply: ModelReply }
  | { readonly kind: 'wait'; readonly delayMs: number; readonly attempts: number }
  | { readonly kind: 'blocked'; readonly reason: string; readonly detail: string }
  | { readonly kind: 'failed'; readonly reason: string; readonly detail: string };

/** Asks the model once for the history as it stands, and records its turn together with the gate's decisions on its calls. */
export async function takeTurn(run: RunContext, limiter: ProviderLimiter): Promise<TurnOutcome> {
  const outcome = await ask(run, limiter);
  if (!('ok' in outcome)) return outcome;
  if (!outcome.ok) return { kind: 'wait', delayMs: Math.ceil(outcome.waitMs), attempts: outcome.attempts };
  run.signal.throwIfAborted();
  await recordTurn(run, outcome.reply);
  return { kind: 'recorded', reply: outcome.reply };
}

async function ask(run: RunContext, limiter: ProviderLimiter): Promise<CallOutcome | TurnOutcome> {
  const origin = { agentId: run.log.meta.agentId, runId: run.runId, epoch: run.epoch };
  try {
    return await callWithRetry(run.model, requestOf(run), {
      signal: run.signal,
      origin,
      limiter,
      priorAttempts: run.log.meta.modelAttempts,
    });
  } catch (thrown) {
    if (!isModelFault(thrown)) throw thrown;
    return afterFault(thrown, run);
  }
}

/** The request: the current runtime's system text, declarations and settings, then the transcript's messages. */
export function requestOf(run: RunContext): ModelRequest {
  const { runtime, bound, log } = run;
  const { messages, inheritedLengths } = log.history.build();
  const definition = log.meta.launch?.definition ?? null;
  const declared =
    runtime.declarations !== null && definition === null ? runtime.declarations : bound.declarations;
  return {
    model: run.modelName,
    system: definition === null ? runtime.systemInstruction : definition.systemPrompt,
    declarations: declared.map(({ name, description, parameters }) => ({
      name,
      description,
      parametersText: parameters,
    })),
    settings: runtime.settings,
    messages,
    inheritedLengths,
  };
}

async function recordTurn(run: RunContext, reply: ModelReply): Promise<void> {
  const turn = run.log.meta.turns + 1;
  const calls = reply.blocks
    .filter((block) => block.type === 'call')
    .map((block, index) => ({ key: { turn, index, providerId: block.id }, name: block.name }));
  const recorded: AgentEvent = {
    type: 'TurnRecorded',
    data: {
      epoch: run.epoch,
      turn,
      message: { role: 'assistant', blocks: [...reply.blocks] },
      stopReason: reply.stopReason,
      ...spent(run, reply),
      model: run.runtime.model,
      request: { ...reply.request },
    },
  };
  await run.log.record(recorded, ...gateCalls(calls, run.bound));
}

/** Tokens and cost of a turn; what is not known is marked as that. */
function spent(run: RunContext, { usage, isUsageReported }: ModelReply) {
  const costUsd = run.services.price(run.runtime.model, usage);
  return {
    usage: { ...usage, costUsd: costUsd ?? 0 },
    ...(isUsageReported ? {} : { isUsageReported }),
    ...(costUsd === null || !isUsageReported ? { isPriced: false as const } : {}),
  };
}

/** Reasons of faults that an operator can mend; the agent is blocked and can be revived. */
const mendable: ReadonlyMap<string, string> = new Map([
  ['quota', 'provider_quota'],
  ['credentials', 'provider_credentials'],
  ['unreachable', 'provider_unavailable'],
  ['retryable', 'provider_unavailable'],
]);

function afterFault(fault: ModelFault, run: RunContext): TurnOutcome {
  if (fault.code === 'cancelled')
    throw new RunLostError('The run was stopped during a model request.', { cause: fault });
  const detail = fault.message;
  const blockedBy = mendable.get(fault.code);
  if (blockedBy !== undefined) return { kind: 'blocked', reason: blockedBy, detail };
  // The same bytes would be refused for ever. A session has no end: it is blocked until its runtime or history changes.
  return { kind: run.log.meta.kind === 'session' ? 'blocked' : 'failed', reason: fault.code, detail };
}
