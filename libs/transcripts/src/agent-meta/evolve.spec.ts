import { describe, expect, it } from '@jest/globals';
import type { AgentEvent } from '../events/agent-event.js';
import { metaOf } from '../testing/decider-spec.js';
import { call, callKey, event, says, specOutcome } from '../testing/events.js';
import { hasEnded, isDispatchable, unansweredCalls } from './agent-meta.js';

const launched = event.agentLaunched();
const running = [launched, event.runStarted()];
const batch = event.turnRecorded({ message: says('', call('edit', 'c0'), call('read_file', 'c1')) });
const hosted = [event.sessionOpened(), event.messageAppended()];
const released = [event.runStarted(), event.messageDelivered(), event.turnRecorded(), event.runReleased()];

const statusOf = (...events: readonly AgentEvent[]) => metaOf(...events).status;

describe('status', () => {
  it.each<[string, readonly AgentEvent[]]>([
    ['absent', []],
    ['queued', [launched]],
    ['running', running],
    ['waiting', [...running, event.runParked({ waitingFor: ['a1'] })]],
    ['waiting', [...running, event.runParked({ delayMs: 10 })]],
    ['interrupted', [...running, event.runInterrupted()]],
    ['blocked', [launched, event.revivalBlocked()]],
    ['blocked', [...running, event.revivalBlocked()]],
    ['queued', [launched, event.revivalBlocked(), event.waitEnded()]],
    ['running', [launched, event.revivalBlocked(), event.runStarted()]],
    ['queued', [...running, event.runParked({ delayMs: 10 }), event.waitEnded()]],
    ['completed', [...running, event.agentCompleted()]],
    ['failed', [...running, event.agentFailed()]],
    ['cancelled', [launched, event.agentCancelled()]],
    ['queued', [...running, event.agentCompleted(), event.agentResumed()]],
    ['idle', [event.sessionOpened()]],
    ['idle', [event.sessionOpened(), event.messageAppended({ run: false })]],
    ['idle', [event.sessionOpened(), event.outcomeDelivered()]],
    ['queued', hosted],
    ['idle', [...hosted, ...released]],
    ['queued', [...hosted, ...released, event.outcomeDelivered()]],
    ['queued', [...hosted, ...released, event.messageQueued()]],
    ['closed', [event.sessionOpened(), event.sessionClosed()]],
    ['running', [...hosted, event.runStarted(), event.sessionClosed()]],
    ['closed', [...hosted, event.runStarted(), event.sessionClosed(), event.runReleased()]],
  ])('%s (row %#)', (status, history) => {
    expect(statusOf(...history)).toBe(status);
  });

  it('dispatchable is exactly queued or interrupted', () => {
    expect(isDispatchable(metaOf(launched))).toBe(true);
    expect(isDispatchable(metaOf(...running, event.runInterrupted()))).toBe(true);
    expect(isDispatchable(metaOf(...running))).toBe(false);
    expect(isDispatchable(metaOf(launched, event.revivalBlocked()))).toBe(false);
  });
});

describe('ends', () => {
  const late: readonly AgentEvent[] = [
    event.agentFailed(),
    event.agentCompleted(),
    event.agentCancelled(),
    event.runStarted({ epoch: 2 }),
    event.runParked({ delayMs: 1 }),
    event.runInterrupted(),
    event.runReleased(),
    event.revivalBlocked(),
    event.waitEnded(),
    event.messageQueued(),
    event.approvalResolved(),
  ];

  it.each(late)('[RUN-5] the first terminal event wins over a later $type', (fact) => {
    const first = metaOf(...running, event.agentCancelled());
    const after = metaOf(...running, event.agentCancelled(), fact);
    expect([after.status, after.outcome, after.run]).toEqual(['cancelled', first.outcome, null]);
  });
  it('only a resumption opens an ended agent, and only an ended one is resumed', () => {
    const resumed = metaOf(
      ...running,
      event.agentCompleted(),
      event.agentResumed({ mode: 'plan', ceiling: 'c' }),
    );
    expect(resumed).toMatchObject({ activation: 2, outcome: null, launch: { mode: 'plan', ceiling: 'c' } });
    expect(metaOf(...running, event.agentResumed()).activation).toBe(1);
  });
  it('the time of a run counts, however it ends', () => {
    // Events are a second apart.
    expect(metaOf(...running, event.agentCompleted()).activeMs).toBe(1000);
    expect(metaOf(...running, event.messageQueued(), event.runInterrupted()).activeMs).toBe(2000);
    expect(metaOf(...running, event.runParked({ delayMs: 1 }), event.waitEnded()).activeMs).toBe(1000);
  });
  it('[RUN-6] what an ended agent asked is void: its resumption waits for no answer', () => {
    const asked = [...running, batch, event.approvalRequested({ call: callKey(0, 1, 'c0') })];
    const resumed = metaOf(...asked, event.agentCancelled(), event.agentResumed());
    expect(resumed.approvals.size).toBe(0);
    expect(resumed.batch.map(({ state, approvalId }) => [state, approvalId])).toEqual([
      ['open', null],
      ['open', null],
    ]);
  });
});

describe('lost calls', () => {
  const started = [...running, batch, event.toolCallStarted()];

  it('[C01] an agent blocked or ended in the middle of a call comes back as interrupted, to be repaired', () => {
    const single = event.turnRecorded({ message: says('', call('edit', 'c0')) });
    const begun = [...running, single, event.toolCallStarted()];
    const blocked = [...begun, event.runInterrupted(), event.revivalBlocked()];
    expect(statusOf(...blocked, event.waitEnded())).toBe('interrupted');
    expect(statusOf(...begun, event.agentCancelled(), event.agentResumed())).toBe('interrupted');
  });
  it('an approval that is answered makes a waiting agent claimable once nothing else is open', () => {
    const asked = [
      ...running,
      batch,
      event.approvalRequested({ approvalId: 'a1', call: callKey(0) }),
      event.approvalRequested({ approvalId: 'a2', call: callKey(1) }),
      event.runParked({ waitingFor: ['a1', 'a2'] }),
    ];
    const one = metaOf(...asked, event.approvalResolved());
    expect([one.status, one.waitingFor]).toEqual(['waiting', ['a2']]);
    const both = metaOf(...asked, event.approvalResolved(), event.approvalExpired({ approvalId: 'a2' }));
    expect([both.status, both.batch.map(({ state }) => state)]).toEqual(['queued', ['approved', 'denied']]);
  });
  it('[C17] a recorded result is final: nothing opens its call again', () => {
    const answered = [...started, event.toolCallFinished()];
    const states = (...more: readonly AgentEvent[]) =>
      metaOf(...answered, ...more).batch.map(({ state }) => state);
    expect(states()).toEqual(['answered', 'open']);
    expect(states(event.toolCallStarted(), event.toolCallAllowed(), event.approvalRequested())).toEqual([
      'answered',
      'open',
    ]);
    expect(unansweredCalls(metaOf(...answered)).map(({ name }) => name)).toEqual(['read_file']);
  });
  it('[L03] two calls with one provider id in a turn are two calls', () => {
    const twice = event.turnRecorded({ message: says('', call('edit', 'dup'), call('edit', 'dup')) });
    const meta = metaOf(...running, twice, event.toolCallFinished({ call: callKey(1, 1, 'dup') }));
    expect(meta.batch.map(({ state }) => state)).toEqual(['open', 'answered']);
    expect(
      metaOf(...running, twice, event.toolCallFinished({ call: callKey(1, 2, 'dup') })).batch[1]?.state,
    ).toBe('open');
  });
});

describe('a closed session', () => {
  const parked = [
    ...hosted,
    event.runStarted(),
    event.messageDelivered(),
    batch,
    event.toolCallFinished({ call: callKey(1) }),
    event.approvalRequested({ call: callKey(0) }),
    event.runParked({ waitingFor: ['a1'] }),
    event.sessionClosed(),
  ];

  it('goes on waiting when it is reopened', () => {
    expect(statusOf(...parked, event.sessionReopened())).toBe('waiting');
  });
  it('goes on with its batch when the answer came while it was closed', () => {
    expect(statusOf(...parked, event.approvalResolved())).toBe('closed');
    expect(statusOf(...parked, event.approvalResolved(), event.sessionReopened())).toBe('queued');
  });
  it('that was blocked for being closed is free again', () => {
    const crashed = [...hosted, event.runStarted(), event.sessionClosed(), event.runInterrupted()];
    const blocked = [...crashed, event.revivalBlocked({ reason: 'parent_closed' })];
    expect(statusOf(...blocked, event.sessionReopened())).toBe('queued');
    const other = [...crashed, event.revivalBlocked({ reason: 'quarantined' })];
    expect(statusOf(...other, event.sessionReopened())).toBe('blocked');
  });
  it('of an external host is never handed to a worker', () => {
    const told = [event.sessionOpened(), event.sessionClosed(), event.outcomeDelivered()];
    expect(statusOf(...told, event.sessionReopened())).toBe('idle');
  });
});

describe('counters', () => {
  const started = event.toolCallStarted();
  const inCall = (epoch: number, cause: 'crashed' | 'drained' | 'frozen' | 'faulted' = 'crashed') => [
    event.runStarted({ epoch }),
    batch,
    started,
    event.runInterrupted({ epoch, cause }),
  ];
  const countsOf = (...events: readonly AgentEvent[]) => {
    const { crashesWithoutProgress, crashesOutsideCalls } = metaOf(launched, ...events);
    return [crashesWithoutProgress, crashesOutsideCalls];
  };
  it('[C07] crashes in a call count until a call really finishes, and other ends do not count', () => {
    const thrice = [...inCall(1), ...inCall(2, 'frozen'), ...inCall(3, 'drained')];
    expect(countsOf(...thrice)).toEqual([2, 0]);
    const done = [event.runStarted({ epoch: 4 }), batch, event.toolCallFinished({ epoch: 4 })];
    expect(countsOf(...thrice, ...done)).toEqual([0, 0]);
    const unknown = [event.runStarted({ epoch: 4 }), batch, event.toolCallFinished({ outcome: 'unknown' })];
    expect(countsOf(...thrice, ...unknown)).toEqual([2, 0]);
  });
  it('[C07] crashes beside the call of another count apart, and a turn is progress then', () => {
    const beside = (epoch: number, cause: 'crashed' | 'faulted' = 'crashed') => [
      event.runStarted({ epoch }),
      event.runInterrupted({ epoch, cause }),
    ];
    expect(countsOf(...beside(1), ...beside(2))).toEqual([0, 2]);
    expect(countsOf(...beside(1), ...beside(2), event.runStarted({ epoch: 3 }), batch)).toEqual([0, 0]);
    const repaired = [event.runStarted({ epoch: 2 }), event.toolCallFinished({ outcome: 'unknown' })];
    const both = [...inCall(1), ...repaired, event.runInterrupted({ epoch: 2 })];
    expect(countsOf(...both)).toEqual([1, 1]);
    // No worker was lost: it is the run's own fault.
    expect(countsOf(...beside(1, 'faulted'))).toEqual([1, 0]);
    const revived = [event.revivalBlocked({ reason: 'quarantined' }), event.waitEnded()];
    expect(countsOf(...both, ...revived)).toEqual([0, 0]);
  });
  it('[C07] an interruption that names another epoch is nobody’s crash', () => {
    const meta = metaOf(...running, event.runInterrupted({ epoch: 7 }));
    expect([meta.status, meta.crashesWithoutProgress]).toEqual(['running', 0]);
  });
  it('[L13] refusals count in a row, identical calls leave one digest, and other arguments another', () => {
    const turn = (n: number, text: string) => [
      event.turnRecorded({ turn: n, message: says('', call('edit', 'c', text)) }),
      event.toolCallRefused({ call: callKey(0, n) }),
    ];
    const meta = metaOf(...running, ...turn(1, '{}'), ...turn(2, '{}'), ...turn(3, '{"a":1}'));
    expect([meta.refusals, meta.refusalStreak, meta.toolCalls, meta.refusedTools]).toEqual([
      3,
      3,
      3,
      ['edit'],
    ]);
    expect(new Set(meta.recentCalls).size).toBe(2);
    const ran = metaOf(...running, ...turn(1, '{}'), batch, event.toolCallFinished());
    expect([ran.refusals, ran.refusalStreak]).toEqual([1, 0]);
  });
  it('a revived or resumed agent starts with fresh breakers and keeps what it used up', () => {
    const stuck = [
      ...running,
      batch,
      event.toolCallRefused(),
      event.runParked({ delayMs: 1, attempts: 4 }),
      event.revivalBlocked(),
    ];
    expect(metaOf(...stuck)).toMatchObject({ refusalStreak: 1, modelAttempts: 4 });
    const fresh = { refusalStreak: 0, recentCalls: [], modelAttempts: 0, toolCalls: 1, turns: 1 };
    expect(metaOf(...stuck, event.waitEnded())).toMatchObject(fresh);
    expect(metaOf(...stuck, event.agentCancelled(), event.agentResumed())).toMatchObject(fresh);
  });
  it('[RUN-4] usage adds up over runs', () => {
    const usage = { inputTokens: 1, cachedTokens: 2, cacheWriteTokens: 3, outputTokens: 4, costUsd: 0.5 };
    const turn = event.turnRecorded({ usage });
    expect(metaOf(...running, turn, turn).usage).toEqual({
      inputTokens: 2,
      cachedTokens: 4,
      cacheWriteTokens: 6,
      outputTokens: 8,
      costUsd: 1,
    });
  });
});

describe('[P10] a turn of which', () => {
  it('no usage was told, or that has no price, is counted as unknown', () => {
    const turn = event.turnRecorded();
    const untold = event.turnRecorded({ isUsageReported: false, isPriced: false });
    const unpriced = event.turnRecorded({ isPriced: false });
    expect(metaOf(...running, turn, untold, unpriced)).toMatchObject({
      turns: 3,
      unreportedTurns: 1,
      unpricedTurns: 2,
    });
  });
});

describe('facts', () => {
  it('a wait is measured on the clock of the record that began it', () => {
    const meta = metaOf(...running, event.runParked({ delayMs: 500 }));
    expect(meta.waitUntilMs).toBe(Date.UTC(2030, 0, 1, 0, 0, 3, 500));
  });
  it('an accepted message stays pending until its delivery is recorded, through ends and claims', () => {
    const ids = (...more: readonly AgentEvent[]) =>
      metaOf(...running, event.messageQueued(), ...more).pending.map(({ messageId }) => messageId);
    expect(ids(event.runInterrupted(), event.runStarted({ epoch: 2 }))).toEqual(['m1']);
    expect(ids(event.agentFailed(), event.agentResumed())).toEqual(['m1']);
    expect(ids(event.messageDelivered())).toEqual([]);
  });
  it('a fork launched inside a batch inherits up to the turn: its version and hash are kept', () => {
    const meta = metaOf(...running, batch, event.toolCallStarted());
    expect(meta.turnHead).toMatchObject({ version: 3 });
    expect(meta.turnHead.hash).not.toBe(meta.head.hash);
  });
  it('the last words are kept when a turn has none', () => {
    expect(metaOf(...running, event.turnRecorded({ message: says('first') }), batch).lastText).toBe('first');
  });
  it('the outcome is what the terminal event says', () => {
    const outcome = specOutcome({ result: 'r', refusedTools: ['edit'] });
    const meta = metaOf(...running, event.agentCompleted({ outcome }));
    expect([hasEnded(meta), meta.outcome]).toEqual([true, outcome]);
  });
});
