import { describe, expect, it } from '@jest/globals';
import type { AgentEvent } from '../events/agent-event.js';
import { given, metaOf } from '../testing/decider-spec.js';
import { call, event, says, specOutcome, specSurface } from '../testing/events.js';
import { cancelAgent, endAgent, holds, interruptRun, releaseRun, requestRevival } from './end-run.js';
import { startRun } from './start-run.js';

const claim = { runId: 'run-9', workerId: 'w9', model: 'scripted:spec', surface: specSurface };
const claimed = (fields: Parameters<typeof event.runStarted>[0]): AgentEvent =>
  event.runStarted({ runId: 'run-9', workerId: 'w9', ...fields });
const running = [event.agentLaunched(), event.runStarted()];
const hostedTurn = [event.sessionOpened(), event.messageAppended(), event.runStarted({ reason: 'message' })];

describe('startRun', () => {
  const start = (meta: Parameters<typeof startRun>[1]) => startRun(claim, meta);

  it('[RUN-1] a launched agent is claimed under epoch 1', () => {
    given(event.agentLaunched())
      .when(start)
      .then(claimed({ epoch: 1, reason: 'launch' }));
  });
  it('[RUN-1] a held agent cannot be claimed again', () => {
    given(...running)
      .when(start)
      .thenRejected('RUN_HELD');
  });
  it('[RUN-3] an interrupted agent goes on under the next epoch', () => {
    given(...running, event.runInterrupted())
      .when(start)
      .then(claimed({ epoch: 2, reason: 'revival' }));
  });
  it('an agent whose wait is over goes on as the same activation', () => {
    given(...running, event.runParked({ waitingFor: [], delayMs: 5 }), event.waitEnded())
      .when(start)
      .then(claimed({ epoch: 2, reason: 'continue' }));
  });
  it('the first run of a resumed activation says so, whatever the last one left behind', () => {
    const left = event.turnRecorded({ message: says('', call('edit')) });
    given(...running, left, event.toolCallStarted(), event.agentCancelled(), event.agentResumed())
      .when(start)
      .then(claimed({ epoch: 2, activation: 2, reason: 'resume' }));
  });
  it('a later run of a resumed activation is a continuation', () => {
    const resumed = [
      event.agentCompleted(),
      event.agentResumed(),
      event.runStarted({ epoch: 2, activation: 2 }),
    ];
    given(...running, ...resumed, event.runParked({ epoch: 2, delayMs: 1 }), event.waitEnded())
      .when(start)
      .then(claimed({ epoch: 3, activation: 2, reason: 'continue' }));
  });
  it('a session is claimed for the message that waits in it', () => {
    given(event.sessionOpened(), event.messageAppended())
      .when(start)
      .then(claimed({ epoch: 1, reason: 'message' }));
  });
  it.each<[string, readonly AgentEvent[], 'AGENT_NOT_FOUND' | 'AGENT_ENDED' | 'RUN_HELD']>([
    ['an agent that was never launched', [], 'AGENT_NOT_FOUND'],
    ['a completed agent', [...running, event.agentCompleted()], 'AGENT_ENDED'],
    ['a failed agent', [...running, event.agentFailed()], 'AGENT_ENDED'],
    ['a cancelled agent', [...running, event.agentCancelled()], 'AGENT_ENDED'],
    ['a waiting agent', [...running, event.runParked({ waitingFor: ['a1'] })], 'RUN_HELD'],
    ['a blocked agent', [event.agentLaunched(), event.revivalBlocked()], 'RUN_HELD'],
    ['an idle session', [event.sessionOpened()], 'RUN_HELD'],
    ['a closed session', [event.sessionOpened(), event.sessionClosed()], 'RUN_HELD'],
  ])('%s is not claimed', (_what, history, code) => {
    given(...history)
      .when(start)
      .thenRejected(code);
  });
});

describe('interruptRun', () => {
  const interrupted = event.runInterrupted().data;

  it('the run that holds the agent is interrupted with its cause', () => {
    given(...running)
      .when((meta) => interruptRun(interrupted, meta))
      .then(event.runInterrupted());
  });
  it('a run that is over already is interrupted by nobody', () => {
    given(...running, event.runInterrupted())
      .when((meta) => interruptRun(interrupted, meta))
      .thenNothing();
    given(...running, event.agentCompleted())
      .when((meta) => interruptRun(interrupted, meta))
      .thenNothing();
  });
  it('a later run of the same agent is not interrupted for an earlier one', () => {
    given(...running, event.runInterrupted(), event.runStarted({ runId: 'run-2', epoch: 2 }))
      .when((meta) => interruptRun(interrupted, meta))
      .thenNothing();
  });
});

describe('endAgent', () => {
  const complete = { epoch: 1, outcome: { ...specOutcome(), status: 'completed' as const } };
  const fail = { epoch: 1, outcome: { ...event.agentFailed().data.outcome, status: 'failed' as const } };

  it('[RUN-5] the run that holds the agent ends it', () => {
    given(...running)
      .when((meta) => endAgent(complete, meta))
      .then(event.agentCompleted());
    given(...running)
      .when((meta) => endAgent(fail, meta))
      .then(event.agentFailed());
  });
  it('[RUN-5] an agent does not complete while a message waits, but may fail', () => {
    given(...running, event.messageQueued())
      .when((meta) => endAgent(complete, meta))
      .thenRejected('MESSAGES_PENDING');
    given(...running, event.messageQueued())
      .when((meta) => endAgent(fail, meta))
      .then(event.agentFailed());
  });
  it.each<[string, readonly AgentEvent[]]>([
    ['was interrupted', [event.runInterrupted()]],
    ['was overtaken', [event.runInterrupted(), event.runStarted({ epoch: 2 })]],
    ['was cancelled', [event.agentCancelled()]],
    ['is parked', [event.runParked({ delayMs: 1 })]],
  ])('[RUN-1] a run that %s ends nothing', (_why, since) => {
    given(...running, ...since)
      .when((meta) => endAgent(complete, meta))
      .thenRejected('RUN_LOST');
  });
});

describe('releaseRun', () => {
  const release = event.runReleased().data;

  it('a session whose messages are answered is released', () => {
    given(...hostedTurn, event.messageDelivered(), event.turnRecorded())
      .when((meta) => releaseRun(release, meta))
      .then(event.runReleased());
  });
  it('a session with a message that was queued or delivered and not answered is kept', () => {
    given(...hostedTurn)
      .when((meta) => releaseRun(release, meta))
      .thenRejected('MESSAGES_PENDING');
    given(...hostedTurn, event.messageDelivered())
      .when((meta) => releaseRun(release, meta))
      .thenRejected('MESSAGES_PENDING');
  });
  it('a lost run releases nothing', () => {
    given(...hostedTurn, event.runInterrupted())
      .when((meta) => releaseRun(release, meta))
      .thenRejected('RUN_LOST');
  });
});

describe('cancelAgent', () => {
  const cancel = (meta: Parameters<typeof cancelAgent>[1]) =>
    cancelAgent({ by: 'key:k1', reason: 'cancelled' }, meta);

  it('a running agent is cancelled at once, with what it said and was refused', () => {
    const refusal = event.toolCallRefused();
    given(...running, event.turnRecorded({ message: says('so far', call('edit')) }), refusal)
      .when(cancel)
      .then(
        event.agentCancelled({
          outcome: specOutcome({
            status: 'cancelled',
            reason: 'cancelled',
            result: 'so far',
            partial: true,
            refusedTools: ['edit'],
          }),
        }),
      );
  });
  it.each<[string, readonly AgentEvent[]]>([
    ['queued', [event.agentLaunched()]],
    ['waiting', [...running, event.runParked({ waitingFor: ['a1'] })]],
    ['blocked', [event.agentLaunched(), event.revivalBlocked()]],
    ['interrupted', [...running, event.runInterrupted()]],
  ])('[C07] a %s agent can be cancelled', (_status, history) => {
    expect(cancel(metaOf(...history)).ok).toBe(true);
  });
  it('an unknown agent, an ended one and a session are not cancelled', () => {
    given().when(cancel).thenRejected('AGENT_NOT_FOUND');
    given(...running, event.agentCompleted())
      .when(cancel)
      .thenRejected('AGENT_ENDED');
    given(event.sessionOpened()).when(cancel).thenRejected('AGENT_BUSY');
  });
});

describe('requestRevival', () => {
  it('a blocked agent becomes dispatchable again', () => {
    given(event.agentLaunched(), event.revivalBlocked())
      .when(requestRevival)
      .then(event.waitEnded({ reason: 'revive_requested' }));
  });
  it('an agent that waits for a worker needs nothing', () => {
    given(event.agentLaunched()).when(requestRevival).thenNothing();
    given(...running, event.runInterrupted())
      .when(requestRevival)
      .thenNothing();
  });
  it('an unknown, a running and an ended agent are not revived', () => {
    given().when(requestRevival).thenRejected('AGENT_NOT_FOUND');
    given(...running)
      .when(requestRevival)
      .thenRejected('RUN_HELD');
    given(...running, event.agentCancelled())
      .when(requestRevival)
      .thenRejected('AGENT_ENDED');
  });
});

describe('holds', () => {
  it('[RUN-1] only the epoch of the last claim holds a running agent', () => {
    const meta = metaOf(...running, event.runInterrupted(), event.runStarted({ epoch: 2 }));
    expect([holds(meta, 1), holds(meta, 2), holds(meta, 3)]).toEqual([false, true, false]);
  });
});
