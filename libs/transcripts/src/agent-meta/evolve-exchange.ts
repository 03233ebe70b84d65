import { activationKey } from './activation-key.js';
import type { AgentMeta } from './agent-meta.js';
import { updateCall } from './evolve-calls.js';
import { wake } from './evolve-lifecycle.js';
import type { Evolvers } from './evolvers.js';

/** Approvals, questions, messages and delivered outcomes. */
export const exchangeEvolvers: Evolvers = {
  ApprovalRequested: (meta, data, record) => {
    const approvals = new Map(meta.approvals).set(data.approvalId, {
      approvalId: data.approvalId,
      data,
      requestedAt: record.recordedAt,
    });
    return updateCall({ ...meta, approvals }, data.call, (call) => ({
      ...call,
      state: 'asked',
      approvalId: data.approvalId,
      fingerprint: data.fingerprint,
      argumentsDigest: data.argumentsDigest,
      snapshot: data.snapshot ?? null,
    }));
  },
  ApprovalResolved: (meta, data) =>
    settleApproval(meta, data.approvalId, data.decision === 'allow' ? 'approved' : 'denied'),
  ApprovalExpired: (meta, data) => settleApproval(meta, data.approvalId, 'denied'),
  QuestionAsked: (meta, data, record) => {
    const { questionId } = data;
    const questions = new Map(meta.questions).set(questionId, {
      questionId,
      data,
      askedAt: record.recordedAt,
    });
    return updateCall({ ...meta, questions }, data.call, (call) => ({
      ...call,
      state: 'asked',
      approvalId: null,
      questionId,
    }));
  },
  QuestionAnswered: (meta, data) => settleQuestion(meta, data.questionId),
  QuestionExpired: (meta, data) => settleQuestion(meta, data.questionId),
  MessageQueued: (meta, data) =>
    wake({
      ...meta,
      pending: [...meta.pending, { messageId: data.messageId, from: data.from, text: data.text }],
    }),
  MessageDelivered: (meta, data) => ({
    ...meta,
    pending: meta.pending.filter((message) => !data.messageIds.includes(message.messageId)),
    unanswered: true,
  }),
  OutcomeDelivered: (meta, data, record) => {
    const key = activationKey(data);
    const delivered = meta.delivered.with(key);
    if (data.call !== undefined) return stopWaitingFor({ ...meta, delivered }, key);
    const pending = [
      ...meta.pending,
      { messageId: record.id, from: `agent:${data.agentId}`, text: data.text },
    ];
    // An external host reads outcomes from the stream; only a hosted session starts a turn for one.
    return meta.hosted || meta.kind !== 'session'
      ? wake({ ...meta, delivered, pending })
      : { ...meta, delivered, pending };
  },
};

function settleApproval(meta: AgentMeta, approvalId: string, state: 'approved' | 'denied'): AgentMeta {
  const approval = meta.approvals.get(approvalId);
  if (approval === undefined) return meta;
  const approvals = new Map(meta.approvals);
  approvals.delete(approvalId);
  const settled = updateCall({ ...meta, approvals }, approval.data.call, (call) => ({ ...call, state }));
  return stopWaitingFor(settled, approvalId);
}

/** The result of the call that asked is a fact of its own, in the same append. */
function settleQuestion(meta: AgentMeta, questionId: string): AgentMeta {
  const questions = new Map(meta.questions);
  questions.delete(questionId);
  return stopWaitingFor({ ...meta, questions }, questionId);
}

/** The agent can go on once nothing that it waits for is left. */
function stopWaitingFor(meta: AgentMeta, id: string): AgentMeta {
  const waitingFor = meta.waitingFor.filter((candidate) => candidate !== id);
  const free = meta.status === 'waiting' && meta.waitingFor.length > 0 && waitingFor.length === 0;
  return { ...meta, waitingFor, status: free ? 'queued' : meta.status };
}
