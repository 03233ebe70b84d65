import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { parseAgent, type Agent } from './agent.js';
import type { LiveEvent } from './cloud-event.js';
import { emptyRoster, withAgents, withEvents, withLevel, withListEnd, type Roster } from './roster.js';

const row = (over: Record<string, unknown> = {}): Agent => {
  const agent = parseAgent({
    id: 'a1',
    kind: 'fork',
    status: 'queued',
    createdAt: '2026-05-04T09:00:00.000Z',
    updatedAt: '2026-05-04T09:00:00.000Z',
    ...over,
  });
  if (agent === null) throw new Error('The row of the spec has no id.');
  return agent;
};

const event = (name: string, over: Partial<LiveEvent> = {}): LiveEvent => ({
  cursor: 'c1',
  name,
  agentId: 'a1',
  version: 5,
  at: '2026-05-04T09:00:01.000Z',
  facts: {},
  isByReference: false,
  ...over,
});

const known = (over: Record<string, unknown> = {}): Roster => withAgents(emptyRoster, [row(over)]);
const a1 = (roster: Roster): Agent | undefined => roster.agents.get('a1');

describe('the roster', () => {
  it('follows a run from its start to its end', () => {
    const started = withEvents(known(), [
      event('RunStarted', { facts: { epoch: 3, workerId: 'worker-elm' } }),
    ]);
    expect(a1(started)).toMatchObject({ status: 'running', epoch: 3, worker: 'worker-elm' });
    const cut = withEvents(started, [event('RunInterrupted', { version: 6, facts: { cause: 'crashed' } })]);
    expect(a1(cut)).toMatchObject({ status: 'interrupted', epoch: 3, worker: null });
  });

  it('an ended agent stays ended until it is resumed, whatever a late observer records', () => {
    const ended = withEvents(known(), [event('AgentCancelled')]);
    expect(a1(withEvents(ended, [event('RunInterrupted', { version: 6 })]))?.status).toBe('cancelled');
    expect(a1(withEvents(ended, [event('AgentResumed', { version: 6 })]))?.status).toBe('queued');
  });

  it.each(['ApprovalResolved', 'RunReleased', 'MessageQueued', 'SessionClosed'])(
    'the row is read again after %s, whose effect depends on what the page does not know',
    (name) => expect([...withEvents(known(), [event(name)]).stale]).toEqual(['a1']),
  );

  it('[OPS-2] an event that comes twice is counted once', () => {
    const refused = event('ToolCallRefused');
    const roster = withEvents(withEvents(known(), [refused, refused]), [refused]);
    expect(a1(roster)?.refusals).toBe(1);
  });

  it('counts every event of one append, though all bear one time', () => {
    const roster = withEvents(known(), [
      event('ToolCallRefused', { version: 5 }),
      event('ToolCallRefused', { version: 6 }),
    ]);
    expect(a1(roster)?.refusals).toBe(2);
  });

  it('an event that is already in the row that was read changes nothing', () => {
    const roster = known({ status: 'completed', updatedAt: '2026-05-04T09:00:01.000Z', refusals: 4 });
    const after = withEvents(roster, [event('RunStarted'), event('ToolCallRefused', { version: 6 })]);
    expect(a1(after)).toMatchObject({ status: 'completed', refusals: 4 });
  });

  it('a newer row that counts a refusal is not counted up by the late event of that refusal', () => {
    const live = withEvents(known(), [event('RunStarted')]);
    const read = withAgents(live, [
      row({ status: 'running', refusals: 1, updatedAt: '2026-05-04T09:00:02.000Z' }),
    ]);
    const late = withEvents(read, [event('ToolCallRefused', { version: 6, at: '2026-05-04T09:00:02.000Z' })]);
    expect(a1(late)?.refusals).toBe(1);
  });

  it('a row that was read before a live event does not take that event back', () => {
    const live = withEvents(known(), [event('RunStarted', { facts: { epoch: 1, worker: 'w' } })]);
    const read = withAgents(live, [row({ status: 'queued', description: 'now with its name' })]);
    expect(a1(read)).toMatchObject({ status: 'running', worker: 'w', description: 'now with its name' });
  });

  it('an event of an unknown agent makes it stale instead of inventing a row', () => {
    const roster = withEvents(emptyRoster, [event('RunStarted', { agentId: 'new' })]);
    expect(roster.agents.size).toBe(0);
    expect([...roster.stale]).toEqual(['new']);
    expect([...withAgents(roster, [row({ id: 'new' })]).stale]).toEqual([]);
  });

  it('an agent that the list no longer names is read again, not dropped at sight', () => {
    const roster = withListEnd(known(), new Set());
    expect(roster.isLoaded).toBe(true);
    expect([...roster.stale]).toEqual(['a1']);
    expect(roster.agents.has('a1')).toBe(true);
  });

  it('the level signal makes stale exactly those on whom the page and the server disagree', () => {
    const roster = withAgents(emptyRoster, [
      row({ id: 'agreed', status: 'running' }),
      row({ id: 'ended-meanwhile', status: 'running' }),
      row({ id: 'woken-meanwhile', status: 'completed' }),
      row({ id: 'done', status: 'failed' }),
    ]);
    const signalled = withLevel(roster, ['agreed', 'woken-meanwhile', 'never-seen']);
    expect([...signalled.stale].sort()).toEqual(['ended-meanwhile', 'never-seen', 'woken-meanwhile']);
  });

  it('[OPS-2] events cut into any batches, with any of them sent again, fold to the same rows', () => {
    const names = fc.constantFrom(
      'RunStarted',
      'ToolCallRefused',
      'RunParked',
      'RunInterrupted',
      'AgentCompleted',
    );
    fc.assert(
      fc.property(fc.array(fc.tuple(names, fc.boolean(), fc.boolean())), (steps) => {
        const events = steps.map(([name], index) =>
          event(name, { version: index + 1, facts: { epoch: index, worker: 'w' } }),
        );
        const atOnce = withEvents(known(), events);
        let inParts = known();
        events.forEach((one, index) => {
          const isRepeated = steps[index]?.[1] === true;
          inParts = withEvents(inParts, isRepeated ? [one, one] : [one]);
          if (steps[index]?.[2] === true) inParts = withEvents(inParts, events.slice(0, index));
        });
        expect(a1(inParts)).toEqual(a1(atOnce));
      }),
    );
  });
});
