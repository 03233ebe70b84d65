import {
  accepted,
  activationKey,
  type AgentEvent,
  type AgentMeta,
  type BatchCall,
  type Decision,
} from '#transcripts';
import { callFinished } from './call-events.js';
import { questionAsked } from './ask-question.js';
import { approvalRequest, type PreparedCall } from './prepare-call.js';
import type { RunContext } from './run-context.js';

/** A started call whose result will be the outcome of an agent that it launched. */
export interface AwaitingCall {
  readonly step: 'await';
  readonly call: BatchCall;
  readonly childId: string;
}

/** A call that is not answered yet, and whom it waits for: a person, or an agent. */
export type UnsettledCall = Extract<PreparedCall, { step: 'ask' | 'question' | 'wait' }> | AwaitingCall;

/**
 * Ends a run whose batch others must settle: asks what is to be asked, and lets go of the agent and its slot until everything
 * that it waits for is there. Answers `answered` when all of it came meanwhile, in which case this very run goes on.
 */
export async function parkRun(
  unsettled: readonly UnsettledCall[],
  run: RunContext,
): Promise<'answered' | 'parked'> {
  const requests = unsettled.flatMap((waiting) => requestOf(waiting, run));
  const decision = await run.log.append((meta) => decidePark(unsettled, requests, run, meta));
  const isParked = decision.ok && decision.events.some((event) => event.type === 'RunParked');
  return isParked ? 'parked' : 'answered';
}

type Request = AgentEvent & { type: 'ApprovalRequested' | 'QuestionAsked' };

function requestOf(waiting: UnsettledCall, run: RunContext): readonly Request[] {
  switch (waiting.step) {
    case 'ask':
      return [approvalRequest(waiting, run.services)];
    case 'question':
      return [questionAsked(waiting, run)];
    case 'wait':
    case 'await':
      return [];
  }
}

function decidePark(
  unsettled: readonly UnsettledCall[],
  requests: readonly Request[],
  { runId, epoch }: RunContext,
  meta: AgentMeta,
): Decision {
  const approvals = [
    ...openIds(unsettled, 'approvalId', meta.approvals),
    ...idsOf('ApprovalRequested', requests),
  ];
  const questions = [
    ...openIds(unsettled, 'questionId', meta.questions),
    ...idsOf('QuestionAsked', requests),
  ];
  const children = unsettled
    .filter((waiting) => waiting.step === 'await')
    .filter((waiting) => isOpen(waiting, meta));
  const told = children.filter((waiting) => meta.delivered.has(keyOf(waiting)));
  const awaited = children.filter((waiting) => !told.includes(waiting)).map(keyOf);
  const waitingFor = [...approvals, ...questions, ...awaited];
  const answers = told.map(({ call }) => callFinished(call, epoch, { outcome: 'ok', text: toldAlready }));
  if (waitingFor.length === 0) return accepted(...answers);
  const reason = reasonOf(approvals, questions);
  const parked: AgentEvent = { type: 'RunParked', data: { runId, epoch, reason, waitingFor, delayMs: null } };
  return accepted(...requests, ...answers, parked);
}

/** Of several things that are waited for the one that a person should see first. */
function reasonOf(
  approvals: readonly string[],
  questions: readonly string[],
): 'approval' | 'question' | 'child' {
  if (approvals.length > 0) return 'approval';
  return questions.length > 0 ? 'question' : 'child';
}

/** For a call that could not be answered when its agent ended: the parent had stopped waiting and was told by a message. */
const toldAlready = 'This agent has ended. Its outcome was delivered to you as a message.';

/** An agent is waited for in its first activation: a message that resumes it later is not this call's. */
const keyOf = ({ childId }: AwaitingCall): string => activationKey({ agentId: childId, activation: 1 });

const isOpen = ({ call }: AwaitingCall, meta: AgentMeta): boolean =>
  meta.batch.some(
    ({ key, state }) => key.turn === call.key.turn && key.index === call.key.index && state !== 'answered',
  );

/** Asked by an earlier run and not answered since. */
function openIds(
  unsettled: readonly UnsettledCall[],
  member: 'approvalId' | 'questionId',
  open: ReadonlyMap<string, unknown>,
): readonly string[] {
  return unsettled.flatMap((waiting) => {
    const id = waiting.step === 'wait' ? waiting.call[member] : null;
    return id !== null && open.has(id) ? [id] : [];
  });
}

function idsOf(type: Request['type'], requests: readonly Request[]): readonly string[] {
  return requests
    .filter((request) => request.type === type)
    .map(({ data }) => ('approvalId' in data ? data.approvalId : data.questionId));
}
