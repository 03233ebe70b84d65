import { type AgentMeta, hasEnded } from './agent-meta.js';
import type { Evolvers } from './evolvers.js';

const crashes = new Set(['crashed', 'frozen', 'cut', 'stalled', 'faulted']);

/** Claims, and the ends of runs that do not end the agent. */
export const runEvolvers: Evolvers = {
  RunStarted: (meta, data, record) => {
    const run = {
      runId: data.runId,
      epoch: data.epoch,
      workerId: data.workerId,
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
  RunParked: (meta, data, record) => ({
    ...release(meta, record.recordedAt),
    status: 'waiting',
    waitingFor: data.waitingFor,
    modelAttempts: data.attempts ?? 0,
    waitUntilMs: data.delayMs === null ? null : Date.parse(record.recordedAt) + data.delayMs,
  }),
  RunInterrupted: (meta, data, record) => {
    // Only the run that holds the agent can be interrupted; a late observer's event changes nothing.
    if (hasEnded(meta) || meta.run?.epoch !== data.epoch) return meta;
    return {
      ...release(meta, record.recordedAt),
      status: 'interrupted',
      crashesWithoutProgress: meta.crashesWithoutProgress + (crashes.has(data.cause) ? 1 : 0),
    };
  },
  RunReleased: (meta, _data, record) => {
    const released = release(meta, record.recordedAt);
    if (meta.closed) return { ...released, status: 'closed' };
    return { ...released, status: meta.unanswered || meta.pending.length > 0 ? 'queued' : 'idle' };
  },
  RevivalBlocked: (meta, data, record) =>
    hasEnded(meta)
      ? meta
      : {
          ...release(meta, record.recordedAt),
          status: 'blocked',
          blocked: { reason: data.reason, detail: data.detail },
        },
  WaitEnded: (meta) =>
    meta.status === 'waiting' || meta.status === 'blocked'
      ? {
          ...meta,
          status: 'queued',
          waitingFor: [],
          waitUntilMs: null,
          blocked: null,
          crashesWithoutProgress: meta.status === 'blocked' ? 0 : meta.crashesWithoutProgress,
        }
      : meta,
};

function release(meta: AgentMeta, at: string): AgentMeta {
  const heldMs = meta.run === null ? 0 : Math.max(0, Date.parse(at) - Date.parse(meta.run.startedAt));
  return { ...meta, run: null, activeMs: meta.activeMs + heldMs };
}
