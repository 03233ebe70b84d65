import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { absentAgent, type AgentMeta, hasEnded } from '../agent-meta/agent-meta.js';
import { evolve } from '../agent-meta/evolve.js';
import type { AgentEvent } from '../events/agent-event.js';
import { decodeEvent } from '../events/event-codec.js';
import { event, recordOf } from '../testing/events.js';
import { newEvent } from '../testing/new-events.js';
import { KeepReason, reasonsToKeep } from './keep-reason.js';

const [root, fork] = ['01890000-0000-7000-8000-00000000000a', '01890000-0000-7000-8000-00000000000b'];

const factsOf = (agentId: string, events: readonly AgentEvent[]) =>
  events.map((fact, index) => decodeEvent({ ...recordOf(fact, index + 1), stream: agentId }));
const fold = (agentId: string, events: readonly AgentEvent[]): AgentMeta =>
  factsOf(agentId, events).reduce<AgentMeta>(evolve, absentAgent(agentId));

const session = (...events: readonly AgentEvent[]): AgentMeta =>
  fold(root, [event.sessionOpened(), ...events]);
const launched = event.agentLaunched({ agentId: fork, sessionId: root, parentId: root });
const forked = (...events: readonly AgentEvent[]): AgentMeta => fold(fork, [launched, ...events]);

const told = event.outcomeDelivered({ agentId: fork, activation: 1 });
const closed = event.sessionClosed();
const hosting = event.messageAppended({ run: true });
const ended = event.agentCompleted();
const unreadable = (meta: AgentMeta): AgentMeta =>
  evolve(
    meta,
    decodeEvent({
      ...recordOf(closed, meta.head.version + 1),
      stream: meta.agentId,
      ...newEvent({ type: 'PolicyWidened' }),
    }),
  );

const reasons = (...agents: readonly AgentMeta[]): readonly string[] =>
  reasonsToKeep(root, agents).map(({ reason }) => reason);

describe('what keeps a tree', () => {
  it('is nothing, once the session is closed and all have ended and were told', () => {
    expect(reasons(session(closed))).toEqual([]);
    expect(reasons(session(told, closed), forked(ended))).toEqual([]);
  });

  it.each<readonly [string, readonly AgentMeta[], readonly string[]]>([
    ['an open session', [session()], ['session_open']],
    ['a reopened one', [session(closed, event.sessionReopened())], ['session_open']],
    [
      'a session that a run holds still',
      [session(hosting, event.runStarted(), closed)],
      ['agent_unfinished'],
    ],
    ['a message that the next turn would answer', [session(hosting, closed)], ['message_queued']],
    ['an agent that waits', [session(closed), forked()], ['agent_unfinished']],
    ['one that is blocked', [session(closed), forked(event.revivalBlocked())], ['agent_unfinished']],
    [
      'one that was resumed',
      [session(told, closed), forked(ended, event.agentResumed())],
      ['agent_unfinished'],
    ],
    ['an end that was not told', [session(closed), forked(ended)], ['outcome_undelivered']],
    [
      'a second end that was not told',
      [
        session(told, closed),
        forked(ended, event.agentResumed({ activation: 2 }), event.agentCompleted({ activation: 2 })),
      ],
      ['outcome_undelivered'],
    ],
    ['a parent that is not there', [forked(ended)], ['agent_unreadable', 'outcome_undelivered']],
    [
      'a fact about its policy that nobody here can read',
      [unreadable(session(told, closed)), unreadable(forked(ended))],
      ['agent_unreadable', 'agent_unreadable'],
    ],
    ['everything at once', [session(), forked()], ['session_open', 'agent_unfinished']],
  ])('is %s', (_what, agents, expected) => {
    expect(reasons(...agents)).toEqual(expected);
  });

  it('is not what a host was told and reads from the stream, nor what an ended agent had still queued', () => {
    const queued = event.messageQueued();
    expect(session(told, closed).pending).toHaveLength(1);
    expect(reasons(session(told, closed), forked(queued, event.agentCancelled()))).toEqual([]);
  });
});

const step = fc.constantFrom<AgentEvent>(
  ended,
  event.agentResumed({ activation: 2 }),
  event.agentCompleted({ activation: 2 }),
  event.runStarted(),
  event.runParked(),
  event.runInterrupted(),
  event.revivalBlocked(),
  event.messageQueued(),
  closed,
  event.sessionReopened(),
  hosting,
  told,
  event.outcomeDelivered({ agentId: fork, activation: 2 }),
);
/** Often with the ends that let a tree go, so that many of them do. */
const history = fc
  .tuple(
    fc.array(step, { maxLength: 8 }),
    fc.constantFrom<readonly AgentEvent[]>([], [ended], [told, closed]),
  )
  .map(([before, end]) => [...before, ...end]);

describe('any tree', () => {
  it('[RUN-5] goes only when its session is closed, no run holds any of it, and every end was told', () => {
    fc.assert(
      fc.property(history, history, (above, below) => {
        const agents = [session(...above), forked(...below)] as const;
        if (reasonsToKeep(root, agents).length > 0) return;
        const [top, bottom] = agents;
        expect([top.closed, top.run, bottom.run, hasEnded(bottom)]).toEqual([true, null, null, true]);
        expect(top.delivered.has(`${fork}/${bottom.activation}`)).toBe(true);
      }),
      { numRuns: 300 },
    );
  });

  it('is not kept less for an agent more, and every reason is about an agent of it', () => {
    fc.assert(
      fc.property(history, history, (above, below) => {
        const alone = reasonsToKeep(root, [session(...above)]);
        const both = reasonsToKeep(root, [session(...above), forked(...below)]);
        expect(both).toEqual(expect.arrayContaining([...alone]));
        for (const { reason, subject } of both) {
          expect(Object.values(KeepReason)).toContain(reason);
          expect([root, fork]).toContain(subject);
        }
      }),
    );
  });
});
