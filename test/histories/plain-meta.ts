import type { AgentMeta } from '../../libs/transcripts/src/agent-meta/agent-meta.js';

/** An AgentMeta as JSON holds it: maps and sets as lists. */
export function plainMeta(meta: AgentMeta): unknown {
  return JSON.parse(
    JSON.stringify(meta, (_key, value: unknown) =>
      value instanceof Map || value instanceof Set ? [...(value as Iterable<unknown>)] : value,
    ),
  );
}
