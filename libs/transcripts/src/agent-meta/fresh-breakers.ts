import type { AgentMeta } from './agent-meta.js';

/** What the breakers have counted, before anything was: crashes, refusals, repetitions, attempts of a turn and compactions before it. */
export const freshBreakers = Object.freeze({
  refusalStreak: 0,
  recentCalls: [],
  crashesWithoutProgress: 0,
  modelAttempts: 0,
  crashesOutsideCalls: 0,
  compactions: 0,
}) satisfies Partial<AgentMeta>;
