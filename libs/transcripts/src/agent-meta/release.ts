import type { AgentMeta } from './agent-meta.js';

/** Takes the run away and counts the time it held the agent. `at` is the record's time, RFC 3339. */
export function release(meta: AgentMeta, at: string): AgentMeta {
  const heldMs = meta.run === null ? 0 : Math.max(0, Date.parse(at) - Date.parse(meta.run.startedAt));
  return { ...meta, run: null, activeMs: meta.activeMs + heldMs };
}
