import { setTimeout as pause } from 'node:timers/promises';

/** How long an attempt is repeated and how long it rests in between, in milliseconds. */
export interface RetryBudget {
  readonly forMs: number;
  readonly pauseMs: number;
}

/**
 * Repeats `attempt` until it succeeds or the budget is spent; the last failure is then thrown as it is. Each attempt must
 * end by itself: this function bounds the number of tries, not the length of one.
 */
export async function retryUntil<T>(attempt: () => Promise<T>, budget: RetryBudget): Promise<T> {
  const endsAt = performance.now() + budget.forMs;
  for (;;) {
    try {
      return await attempt();
    } catch (error) {
      if (performance.now() + budget.pauseMs >= endsAt) {
        throw error;
      }
    }
    await pause(budget.pauseMs);
  }
}
