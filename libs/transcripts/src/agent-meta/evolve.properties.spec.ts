import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { AgentEvent } from '../events/agent-event.js';
import { decodeEvent } from '../events/event-codec.js';
import { call, callKey, event, recordOf, says, specAgentId } from '../testing/events.js';
import { absentAgent, type AgentMeta, hasEnded } from './agent-meta.js';
import { evolve } from './evolve.js';

const small = fc.integer({ min: 1, max: 3 });
const key = fc
  .tuple(fc.integer({ min: 0, max: 2 }), small)
  .map(([index, turn]) => callKey(index, turn, 'dup'));
const turn = fc.tuple(small, fc.integer({ min: 0, max: 3 })).map(([n, calls]) =>
  event.turnRecorded({
    turn: n,
    message: says('x', ...Array.from({ length: calls }, () => call('edit', 'dup'))),
  }),
);

/** Any event with fields that meet those of other events now and then. Orders that no decider allows are wanted. */
const anyEvent: fc.Arbitrary<AgentEvent> = fc.oneof(
  fc.constantFrom<AgentEvent>(
    ...Object.values(event).map((build) => build()),
    event.messageAppended({ run: false }),
    event.agentLaunched({ kind: 'subagent' }),
    event.runParked({ waitingFor: ['a1'] }),
    event.runParked({ delayMs: 5 }),
    event.revivalBlocked({ reason: 'parent_closed' }),
  ),
  turn,
  small.map((epoch) => event.runStarted({ epoch })),
  small.map((epoch) => event.runInterrupted({ epoch })),
  key.map((at) => event.toolCallStarted({ call: at })),
  key.map((at) => event.toolCallFinished({ call: at })),
  key.map((at) => event.toolCallRefused({ call: at })),
  key.map((at) => event.approvalRequested({ call: at })),
);
const history = fc.array(anyEvent, { maxLength: 40, size: 'max' });

function statesOf(events: readonly AgentEvent[]): readonly AgentMeta[] {
  let meta = absentAgent(specAgentId);
  return events.map((fact, index) => (meta = evolve(meta, decodeEvent(recordOf(fact, index + 1)))));
}

describe('any history', () => {
  it('every prefix folds without throwing, and its head is its last event', () => {
    fc.assert(
      fc.property(history, (events) => {
        expect(statesOf(events).map(({ head }) => head.version)).toEqual(events.map((_, index) => index + 1));
      }),
    );
  });

  it('[RUN-5] an ended agent leaves its end by a resumption alone', () => {
    fc.assert(
      fc.property(history, (events) => {
        const states = statesOf(events);
        for (const [index, meta] of states.entries()) {
          const next = states[index + 1];
          // A second launch record in one stream is refused by the store: it expects no stream.
          const opens = new Set(['AgentResumed', 'AgentLaunched', 'SessionOpened']);
          if (!hasEnded(meta) || next === undefined || opens.has(events[index + 1]?.type ?? '')) continue;
          expect([next.status, next.outcome]).toEqual([meta.status, meta.outcome]);
        }
      }),
    );
  });

  it('[C17] a call that has its result keeps it for as long as its batch stands', () => {
    fc.assert(
      fc.property(history, (events) => {
        const states = statesOf(events);
        for (const [index, meta] of states.entries()) {
          const next = states[index + 1];
          if (next === undefined || events[index + 1]?.type === 'TurnRecorded') continue;
          for (const [at, done] of meta.batch.entries()) {
            if (done.state === 'answered') expect(next.batch[at]?.state).toBe('answered');
          }
        }
      }),
    );
  });

  it('an agent that waits, is blocked, was interrupted or has ended is held by no run', () => {
    const unheld = new Set(['waiting', 'blocked', 'completed', 'failed', 'cancelled', 'idle']);
    fc.assert(
      fc.property(history, (events) => {
        // Nothing opens a stream twice: the store expects no stream for a first event.
        const opening = new Set(['AgentLaunched', 'SessionOpened', 'SessionReopened']);
        const later = events.filter(({ type }) => !opening.has(type));
        for (const meta of statesOf([event.agentLaunched(), ...later])) {
          if (unheld.has(meta.status)) expect(meta.run).toBeNull();
        }
      }),
    );
  });
});
