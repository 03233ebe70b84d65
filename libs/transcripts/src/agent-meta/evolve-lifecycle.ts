import { textOfMessage } from '../events/message.js';
import type { Runtime } from '../events/session-events.js';
import type { Outcome } from '../events/shared-schemas.js';
import { type AgentMeta, type BatchCall, hasEnded } from './agent-meta.js';
import type { Evolvers } from './evolvers.js';
import { freshBreakers } from './fresh-breakers.js';
import { release } from './release.js';
import { claimableStatus, restingStatus } from './resting-status.js';

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
  SessionClosed: (meta) => {
    // Terminal is terminal, also for a fact that a stream of this kind cannot hold.
    if (hasEnded(meta)) return meta;
    return { ...meta, closed: true, status: meta.run === null ? 'closed' : meta.status };
  },
  SessionReopened: (meta) => {
    const isHeldBack = meta.status === 'closed' || meta.blocked?.reason === 'parent_closed';
    const open = { ...meta, closed: false };
    return isHeldBack ? { ...open, blocked: null, status: restingStatus(open) } : open;
  },
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
  AgentCompleted: (meta, data, record) => end(meta, 'completed', data.outcome, record.recordedAt),
  AgentFailed: (meta, data, record) => end(meta, 'failed', data.outcome, record.recordedAt),
  AgentCancelled: (meta, data, record) => end(meta, 'cancelled', data.outcome, record.recordedAt),
  AgentResumed: (meta, data) =>
    hasEnded(meta)
      ? {
          ...meta,
          status: claimableStatus(meta),
          activation: data.activation,
          outcome: null,
          launch: meta.launch === null ? null : { ...meta.launch, mode: data.mode, ceiling: data.ceiling },
          ...freshBreakers,
        }
      : meta,
};

function end(meta: AgentMeta, status: Outcome['status'], outcome: Outcome, at: string): AgentMeta {
  // First terminal event wins; a second one would be a broken writer and changes nothing here.
  if (hasEnded(meta)) return meta;
  return {
    ...release(meta, at),
    status,
    outcome,
    batch: meta.batch.map(withdrawn),
    waitingFor: [],
    waitUntilMs: null,
    blocked: null,
    approvals: new Map(),
    questions: new Map(),
  };
}

/** The questions of an ended activation are void, and so is what was answered: a resumption must not wait for either. */
function withdrawn(call: BatchCall): BatchCall {
  const isAsked = call.state === 'asked' || call.state === 'approved' || call.state === 'denied';
  return isAsked ? { ...call, state: 'open', approvalId: null, questionId: null } : call;
}
