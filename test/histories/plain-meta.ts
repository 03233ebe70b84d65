import { GrowingSet } from '../../libs/transcripts/src/agent-meta/growing-set.js';
import type { AgentMeta } from '../../libs/transcripts/src/agent-meta/agent-meta.js';

/** An AgentMeta as JSON holds it: maps and sets as lists. */
export function plainMeta(meta: AgentMeta): unknown {
  return JSON.parse(
    JSON.stringify(meta, (_key, value: unknown) => (isCollection(value) ? [...value] : value)),
  );
}

const isCollection = (value: unknown): value is Iterable<unknown> =>
  value instanceof Map || value instanceof Set || value instanceof GrowingSet;
