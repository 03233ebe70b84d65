import type { AgentMeta } from './agent-meta.js';

/** What the breakers have counted, before anything was: crashes, refusals, repetitions and attempts of a turn. */
export const freshBreakers = Object.freeze({
  refusalStreak: 0,
  recentCalls: [],
  crashesWithoutProgress: 0,
  modelAttempts: 0,
}) satisfies Partial<AgentMeta>;
