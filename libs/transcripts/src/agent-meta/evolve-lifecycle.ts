import { textOfMessage } from '../events/message.js';
import type { Runtime } from '../events/session-events.js';
import { type AgentMeta, hasEnded } from './agent-meta.js';
import type { Evolvers } from './evolvers.js';

/** A session goes on when something in it is unanswered; while it is held, the run itself sees it. */
export function wake(meta: AgentMeta): AgentMeta {
  return meta.status === 'idle' ? { ...meta, status: 'queued' } : meta;
}

/** Sessions, launches and ends. */
export const lifecycleEvolvers: Evolvers = {
  SessionOpened: (meta, data) => ({
    ...meta,
    kind: 'session',
    status: 'idle',
    runtime: data.runtime,
    title: data.title ?? null,
    limits: data.limits,
  }),
  RuntimeChanged: (meta, data) =>
    meta.runtime === null
      ? meta
      : { ...meta, runtime: { ...meta.runtime, ...(data.changes as Partial<Runtime>) } },
  SessionClosed: (meta) => ({ ...meta, closed: true, status: meta.run === null ? 'closed' : meta.status }),
  SessionReopened: (meta) => ({
    ...meta,
    closed: false,
    status:
      meta.status === 'closed'
        ? meta.unanswered || meta.pending.length > 0
          ? 'queued'
          : 'idle'
        : meta.status,
  }),
  MessageAppended: (meta, data) => {
    if (!data.run) return meta;
    // A message to run enters the history when a run delivers it, so that no request in flight is contradicted.
    const text = data.messages.map(textOfMessage).join('\n\n');
    const pending = [...meta.pending, { messageId: data.messageId, from: 'user', text }];
    return wake({ ...meta, hosted: true, pending });
  },
  LaunchRefused: (meta) => meta,
  AgentLaunched: (meta, data) => ({
    ...meta,
    kind: data.kind,
    status: 'queued',
    launch: data,
    limits: data.limits,
  }),
  BootstrapRecorded: (meta, data) => ({ ...meta, bootstrap: data }),
  LaunchPromptRecorded: (meta, data) => ({ ...meta, launchPrompt: data }),
  AgentCompleted: (meta, data) => end(meta, 'completed', data.outcome),
  AgentFailed: (meta, data) => end(meta, 'failed', data.outcome),
  AgentCancelled: (meta, data) => end(meta, 'cancelled', data.outcome),
  AgentResumed: (meta, data) =>
    hasEnded(meta)
      ? {
          ...meta,
          status: 'queued',
          activation: data.activation,
          outcome: null,
          launch: meta.launch === null ? null : { ...meta.launch, mode: data.mode, ceiling: data.ceiling },
          refusalStreak: 0,
          recentCalls: [],
          crashesWithoutProgress: 0,
        }
      : meta,
};

function end(
  meta: AgentMeta,
  status: 'completed' | 'failed' | 'cancelled',
  outcome: AgentMeta['outcome'],
): AgentMeta {
  // First terminal event wins; a second one would be a broken writer and changes nothing here.
  if (hasEnded(meta)) return meta;
  return {
    ...meta,
    status,
    outcome,
    run: null,
    waitingFor: [],
    waitUntilMs: null,
    blocked: null,
    approvals: new Map(),
  };
}
