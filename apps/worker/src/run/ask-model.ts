import { isModelFault, type ModelFault } from '../models/model-fault.js';
import type { ModelReply, ModelRequest } from '../models/model.js';
import type { ProviderLimiter } from '../models/provider-limiter.js';
import { callWithRetry } from '../models/retry.js';
import type { RunContext } from './run-context.js';
import { RunLostError } from './run-log.js';

/** No answer for now: a durable wait, or a block that an operator mends. */
export type Unanswered =
  | { readonly kind: 'wait'; readonly delayMs: number; readonly attempts: number }
  | { readonly kind: 'blocked'; readonly reason: string; readonly detail: string };

/** An answer, none for now, or the fault of a request that will never be taken as it is. */
export type Asked = { readonly reply: ModelReply } | Unanswered | { readonly fault: ModelFault };

/** Reasons of faults that an operator can mend; the agent is blocked and can be revived. */
const mendable: ReadonlyMap<string, string> = new Map([
  ['quota', 'provider_quota'],
  ['credentials', 'provider_credentials'],
  ['unreachable', 'provider_unavailable'],
  ['retryable', 'provider_unavailable'],
]);

/** Asks the run's model once, in the name of the run and under its limiter. Throws when the run was stopped meanwhile. */
export async function askModel(
  run: RunContext,
  request: ModelRequest,
  limiter: ProviderLimiter,
): Promise<Asked> {
  const origin = { agentId: run.log.meta.agentId, runId: run.runId, epoch: run.epoch };
  const priorAttempts = run.log.meta.modelAttempts;
  try {
    const outcome = await callWithRetry(run.model, request, {
      signal: run.signal,
      origin,
      limiter,
      priorAttempts,
    });
    if (outcome.ok) return { reply: outcome.reply };
    return { kind: 'wait', delayMs: Math.ceil(outcome.waitMs), attempts: outcome.attempts };
  } catch (thrown) {
    if (!isModelFault(thrown)) throw thrown;
    return afterFault(thrown);
  }
}

function afterFault(fault: ModelFault): Asked {
  if (fault.code === 'cancelled')
    throw new RunLostError('The run was stopped during a model request.', { cause: fault });
  const reason = mendable.get(fault.code);
  return reason === undefined ? { fault } : { kind: 'blocked', reason, detail: fault.message };
}
