import {
  accepted,
  activationKey,
  type AgentEvent,
  type AgentMeta,
  type BatchCall,
  type Decision,
} from '#transcripts';
import { callFinished } from './call-events.js';
import { approvalRequest, type PreparedCall } from './prepare-call.js';
import type { RunContext } from './run-context.js';

/** A started call whose result will be the outcome of an agent that it launched. */
export interface AwaitingCall {
  readonly step: 'await';
  readonly call: BatchCall;
  readonly childId: string;
}

/** A call that is not answered yet, and whom it waits for: a person, or an agent. */
export type UnsettledCall = Extract<PreparedCall, { step: 'ask' | 'wait' }> | AwaitingCall;

/**
 * Ends a run whose batch others must settle: asks what is to be asked, and lets go of the agent and its slot until everything
 * that it waits for is there. Answers `answered` when all of it came meanwhile, in which case this very run goes on.
 */
export async function parkRun(
  unsettled: readonly UnsettledCall[],
  run: RunContext,
): Promise<'answered' | 'parked'> {
  const requests = unsettled
    .filter((waiting) => waiting.step === 'ask')
    .map((asking) => approvalRequest(asking, run.services));
  const decision = await run.log.append((meta) => decidePark(unsettled, requests, run, meta));
  const isParked = decision.ok && decision.events.some((event) => event.type === 'RunParked');
  return isParked ? 'parked' : 'answered';
}

function decidePark(
  unsettled: readonly UnsettledCall[],
  requests: readonly AgentEvent[],
  { runId, epoch }: RunContext,
  meta: AgentMeta,
): Decision {
  const approvals = [...openApprovals(unsettled, meta), ...requests.flatMap(approvalIdOf)];
  const children = unsettled
    .filter((waiting) => waiting.step === 'await')
    .filter((waiting) => isOpen(waiting, meta));
  const told = children.filter((waiting) => meta.delivered.has(keyOf(waiting)));
  const awaited = children.filter((waiting) => !told.includes(waiting)).map(keyOf);
  const waitingFor = [...approvals, ...awaited];
  const answers = told.map(({ call }) => callFinished(call, epoch, { outcome: 'ok', text: toldAlready }));
  if (waitingFor.length === 0) return accepted(...answers);
  const reason = approvals.length > 0 ? 'approval' : 'child';
  const parked: AgentEvent = { type: 'RunParked', data: { runId, epoch, reason, waitingFor, delayMs: null } };
  return accepted(...requests, ...answers, parked);
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
function openApprovals(unsettled: readonly UnsettledCall[], meta: AgentMeta): readonly string[] {
  return unsettled.flatMap((waiting) => {
    const id = waiting.step === 'wait' ? waiting.call.approvalId : null;
    return id !== null && meta.approvals.has(id) ? [id] : [];
  });
}

const approvalIdOf = (event: AgentEvent): readonly string[] =>
  event.type === 'ApprovalRequested' ? [event.data.approvalId] : [];
