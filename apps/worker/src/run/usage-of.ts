import type { ModelReply } from '../models/model.js';
import type { RunContext } from './run-context.js';

/** Tokens and cost of a model call; what is not known is marked as that. */
export function usageOf(run: RunContext, { usage, isUsageReported }: ModelReply) {
  const costUsd = run.services.price(run.runtime.model, usage);
  return {
    usage: { ...usage, costUsd: costUsd ?? 0 },
    ...(isUsageReported ? {} : { isUsageReported }),
    ...(costUsd === null || !isUsageReported ? { isPriced: false as const } : {}),
  };
}
