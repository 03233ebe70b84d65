import { type AgentMeta, hasEnded } from './agent-meta.js';
import { chainBroken } from './evolve-damage.js';
import type { Evolvers } from './evolvers.js';
import { freshBreakers } from './fresh-breakers.js';
import { release } from './release.js';
import { claimableStatus, restingStatus } from './resting-status.js';

const crashes = new Set(['crashed', 'frozen', 'cut', 'stalled', 'faulted']);

/** Claims, and the ends of runs that do not end the agent. */
export const runEvolvers: Evolvers = {
  RunStarted: (meta, data, record) => {
    // Terminal is terminal: only a resumption makes an ended agent claimable.
    if (hasEnded(meta)) return meta;
    const run = {
      runId: data.runId,
      epoch: data.epoch,
      activation: data.activation,
      workerId: data.workerId,
      model: data.model,
      startedAt: record.recordedAt,
    };
    return {
      ...meta,
      status: 'running',
      run,
      lastRun: run,
      epoch: data.epoch,
      surface: data.surface,
      waitingFor: [],
      waitUntilMs: null,
      blocked: null,
    };
  },
  SurfaceChanged: (meta, data) => ({ ...meta, surface: data.surface }),
  RunParked: (meta, data, record) => {
    if (!isHeldBy(meta, data.epoch)) return meta;
    return {
      ...release(meta, record.recordedAt),
      status: 'waiting',
      waitingFor: data.waitingFor,
      modelAttempts: data.attempts ?? 0,
      waitUntilMs: data.delayMs === null ? null : Date.parse(record.recordedAt) + data.delayMs,
    };
  },
  RunInterrupted: (meta, data, record) => {
    // Only the run that holds the agent can be interrupted; a late observer's event changes nothing.
    if (!isHeldBy(meta, data.epoch)) return meta;
    return {
      ...release(meta, record.recordedAt),
      status: 'interrupted',
      ...(crashes.has(data.cause) ? crashCounts(meta, data.cause) : {}),
    };
  },
  RunReleased: (meta, data, record) => {
    if (!isHeldBy(meta, data.epoch)) return meta;
    const released = release(meta, record.recordedAt);
    return { ...released, status: meta.closed ? 'closed' : restingStatus(released) };
  },
  RevivalBlocked: (before, data, record) => {
    const meta = data.reason === chainBroken ? { ...before, isDamageNoted: true } : before;
    if (hasEnded(meta)) return meta;
    const blocked = { reason: data.reason, detail: data.detail };
    return { ...release(meta, record.recordedAt), status: 'blocked', blocked };
  },
  WaitEnded: (before) => {
    const meta = { ...before, isDamageNoted: false };
    if (meta.status !== 'waiting' && meta.status !== 'blocked') return meta;
    const free = { ...meta, status: claimableStatus(meta), waitingFor: [], waitUntilMs: null, blocked: null };
    // Whoever revives a blocked agent has judged it: what tripped the breakers counts no longer.
    return meta.status === 'blocked' ? { ...free, ...freshBreakers } : free;
  },
};

/**
 * The call that is under way is what most likely took the worker; who only waited for a model may have been beside it. A run that
 * failed by itself took no worker, and nobody else is to blame.
 */
function crashCounts({ batch, crashesWithoutProgress, crashesOutsideCalls }: AgentMeta, cause: string) {
  return cause === 'faulted' || batch.some(({ state }) => state === 'started')
    ? { crashesWithoutProgress: crashesWithoutProgress + 1 }
    : { crashesOutsideCalls: crashesOutsideCalls + 1 };
}

const isHeldBy = (meta: AgentMeta, epoch: number): boolean =>
  meta.status === 'running' && meta.run?.epoch === epoch;
