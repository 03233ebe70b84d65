import type { ReadEvent } from '../events/agent-event.js';
import type { RecordedEvent } from '../events/recorded-event.js';
import type { AgentMeta } from './agent-meta.js';
import { damaged, isFoldedBehindDamage } from './evolve-damage.js';
import { callEvolvers } from './evolve-calls.js';
import { exchangeEvolvers } from './evolve-exchange.js';
import { lifecycleEvolvers } from './evolve-lifecycle.js';
import { runEvolvers } from './evolve-run.js';
import type { Evolvers } from './evolvers.js';

const evolvers: Evolvers = { ...lifecycleEvolvers, ...runEvolvers, ...callEvolvers, ...exchangeEvolvers };

type Evolver = (meta: AgentMeta, data: unknown, record: RecordedEvent) => AgentMeta;

/** Folds one event into the meta. Total and pure: no clock, no ids, never throws. */
export function evolve(meta: AgentMeta, event: ReadEvent): AgentMeta {
  const { record } = event;
  const head = { version: record.version, hash: record.hash };
  if (event.type === 'damaged') return damaged({ ...meta, agentId: record.stream, head }, event.record);
  const standing = standingAt(meta, event.record);
  if (meta.damage !== null && !isFoldedBehindDamage(event)) return standing;
  if (event.type === 'unknown') {
    return event.statesPolicy
      ? { ...standing, unreadablePolicy: standing.unreadablePolicy ?? event.record.type }
      : standing;
  }
  // The table is keyed by the same name as the data; TypeScript cannot follow that correlation.
  const evolver = evolvers[event.type] as Evolver | undefined;
  return evolver === undefined ? standing : evolver(standing, event.data, event.record);
}

/** Tenant and beginning are those of the first event that can be read. */
function standingAt(meta: AgentMeta, record: RecordedEvent): AgentMeta {
  const isFirst = meta.createdAt === '';
  return {
    ...meta,
    agentId: record.stream,
    tenant: isFirst ? record.tenant : meta.tenant,
    head: { version: record.version, hash: record.hash },
    createdAt: isFirst ? record.recordedAt : meta.createdAt,
    updatedAt: record.recordedAt,
  };
}
