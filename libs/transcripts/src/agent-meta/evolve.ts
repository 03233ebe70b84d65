import type { DecodedEvent, UnknownEvent } from '../events/agent-event.js';
import type { RecordedEvent } from '../events/recorded-event.js';
import type { AgentMeta } from './agent-meta.js';
import { callEvolvers } from './evolve-calls.js';
import { exchangeEvolvers } from './evolve-exchange.js';
import { lifecycleEvolvers } from './evolve-lifecycle.js';
import { runEvolvers } from './evolve-run.js';
import type { Evolvers } from './evolvers.js';

const evolvers: Evolvers = { ...lifecycleEvolvers, ...runEvolvers, ...callEvolvers, ...exchangeEvolvers };

type Evolver = (meta: AgentMeta, data: unknown, record: RecordedEvent) => AgentMeta;

/** Folds one event into the meta. Total and pure: no clock, no ids, never throws. */
export function evolve(meta: AgentMeta, event: DecodedEvent | UnknownEvent): AgentMeta {
  const { record } = event;
  const standing: AgentMeta = {
    ...meta,
    agentId: record.stream,
    tenant: meta.head.version === 0 ? record.tenant : meta.tenant,
    head: { version: record.version, hash: record.hash },
    createdAt: meta.head.version === 0 ? record.recordedAt : meta.createdAt,
    updatedAt: record.recordedAt,
  };
  if (event.type === 'unknown') {
    return event.statesPolicy
      ? { ...standing, unreadablePolicy: standing.unreadablePolicy ?? record.type }
      : standing;
  }
  // The table is keyed by the same name as the data; TypeScript cannot follow that correlation.
  const evolver = evolvers[event.type] as Evolver | undefined;
  return evolver === undefined ? standing : evolver(standing, event.data, record);
}
