import { describe, expect, it } from '@jest/globals';
import type { AgentEvent } from '../events/agent-event.js';
import { given, metaOf } from '../testing/decider-spec.js';
import { call, callKey, event, says, specAgentId } from '../testing/events.js';
import { isDispatchable, unansweredCalls } from '../agent-meta/agent-meta.js';
import { deliverOutcome, type DeliverOutcome } from './deliver-outcome.js';

const told = event.outcomeDelivered();
const opened = event.sessionOpened();
const command: DeliverOutcome = { ...told.data, awaitedBy: null, completed: true, durationMs: 7 };
const key = `${specAgentId}/1`;

const batch = event.turnRecorded({
  message: says('', call('agent', 'call-1-0'), call('agent', 'call-1-1')),
});
const running = [opened, event.messageAppended(), event.runStarted(), event.messageDelivered(), batch];
const start = (index: number) =>
  event.toolCallStarted({ call: callKey(index), name: 'agent', tool: { name: 'agent' }, repeatable: true });
const started = [...running, start(0)];
const parked = (...waitingFor: string[]) => event.runParked({ reason: 'child', waitingFor });
const waits = { ...command, awaitedBy: callKey(0) };
const answer = event.toolCallFinished({ name: 'agent', content: 'it ended', durationMs: 7 });
const answered = event.outcomeDelivered({ call: callKey(0) });

describe('deliverOutcome', () => {
  it('[RUN-5] a parent is told of an activation once, and of the next one too', () => {
    given(opened)
      .when((meta) => deliverOutcome(command, meta))
      .then(told);
    given(opened, told)
      .when((meta) => deliverOutcome(command, meta))
      .thenNothing();
    given(opened, told)
      .when((meta) => deliverOutcome({ ...command, activation: 2 }, meta))
      .then(event.outcomeDelivered({ activation: 2 }));
    given()
      .when((meta) => deliverOutcome(command, meta))
      .thenRejected('AGENT_NOT_FOUND');
  });

  it.each<[string, readonly AgentEvent[]]>([
    ['is parked', [...started, parked(key)]],
    ['has not parked yet', started],
    ['lost its worker', [...started, event.runInterrupted()]],
    ['was closed meanwhile', [...started, parked(key), event.sessionClosed()]],
  ])('[RUN-5] the call that waits is answered once, whether its run %s', (_what, history) => {
    given(...history)
      .when((meta) => deliverOutcome(waits, meta))
      .then(answer, answered);
    given(...history, answer, answered)
      .when((meta) => deliverOutcome(waits, meta))
      .thenNothing();
  });

  it('[L23] the outcome of a child that did not complete is an error of the call', () => {
    given(...started)
      .when((meta) => deliverOutcome({ ...waits, completed: false }, meta))
      .then({ ...answer, data: { ...answer.data, outcome: 'error' } }, answered);
  });

  it.each<[string, readonly AgentEvent[]]>([
    ['was answered otherwise', [...started, event.toolCallFinished({ outcome: 'unknown' })]],
    ['never started', running],
    [
      'is of a parent that ended',
      [event.agentLaunched(), event.runStarted(), batch, start(0), event.agentCancelled()],
    ],
  ])('[RUN-5] where the call %s, the outcome is a message', (_what, history) => {
    given(...history)
      .when((meta) => deliverOutcome(waits, meta))
      .then(told);
  });
});

describe('an outcome that answers a call', () => {
  const both = [...started, start(1), parked(key, 'other/1')];

  it('[RUN-6] makes the parked parent claimable when it is the last thing that it waits for', () => {
    const one = metaOf(...both, answer, answered);
    expect(one).toMatchObject({ status: 'waiting', waitingFor: ['other/1'], pending: [] });
    expect(unansweredCalls(one)).toHaveLength(1);
    const last = metaOf(
      ...both,
      answer,
      answered,
      event.toolCallFinished({ call: callKey(1), name: 'agent' }),
      event.outcomeDelivered({ agentId: 'other', call: callKey(1) }),
    );
    expect(isDispatchable(last)).toBe(true);
    expect(unansweredCalls(last)).toEqual([]);
  });

  it('is waited for across the close of a session', () => {
    const reopened = metaOf(...both, event.sessionClosed(), event.sessionReopened());
    expect(reopened).toMatchObject({ status: 'waiting', waitingFor: [key, 'other/1'] });
    const closed = metaOf(...started, parked(key), event.sessionClosed(), answer, answered);
    expect(closed).toMatchObject({ status: 'closed', waitingFor: [] });
  });
});
