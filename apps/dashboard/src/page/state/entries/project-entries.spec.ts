import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { eventNames } from '../event-names.js';
import type { Json } from '../read.js';
import type { TranscriptRecord } from '../transcript.js';
import { filterEntries } from './filter-entries.js';
import { projectEntries } from './project-entries.js';
import { isWorthALook } from './worth-a-look.js';

const history = (...steps: readonly (readonly [name: string, facts?: Json])[]): TranscriptRecord[] =>
  steps.map(([name, facts], index) => ({
    cursor: null,
    version: index + 1,
    name,
    at: '2026-05-04T09:00:00.000Z',
    facts: facts ?? {},
  }));
const call = (turn: number, index: number): Json => ({ call: { turn, index, providerId: 'reused' } });

describe('the entries of a transcript', () => {
  it('the records of one call are one entry at the place of the first', () => {
    const entries = projectEntries(
      history(
        [
          'TurnRecorded',
          {
            turn: 1,
            message: {
              role: 'assistant',
              blocks: [
                { type: 'text', text: 'I look.' },
                { type: 'call', id: 'reused', name: 'grep_search', arguments: '{"pattern":"x"}' },
                { type: 'call', id: 'reused', name: 'edit', arguments: '{"path":"y"}' },
              ],
            },
          },
        ],
        ['ToolCallAllowed', { ...call(1, 0), name: 'grep_search', rule: 'grep_search' }],
        ['ToolCallRefused', { ...call(1, 1), name: 'edit', reason: 'not_in_allowlist', response: 'No.' }],
        ['ToolCallStarted', { ...call(1, 0), name: 'grep_search' }],
        [
          'ToolCallFinished',
          { ...call(1, 0), name: 'grep_search', outcome: 'ok', durationMs: 310, content: '3 lines' },
        ],
      ),
    );
    expect(entries).toMatchObject([
      { version: 1, family: 'turn', detail: '2 calls', blocks: [{ body: 'I look.' }] },
      {
        version: 2,
        family: 'call',
        title: 'grep_search',
        detail: '310 ms',
        badge: { tone: 'good', text: 'done' },
        blocks: [
          { label: 'Arguments', body: '{"pattern":"x"}' },
          { label: 'Result', body: '3 lines' },
        ],
      },
      {
        version: 3,
        family: 'refusal',
        title: 'edit',
        detail: 'not in allowlist',
        badge: { text: 'refused' },
        blocks: [
          { label: 'Arguments', body: '{\"path\":\"y\"}' },
          { label: 'Answer to the model', body: 'No.' },
        ],
      },
    ]);
  });

  it('calls of different turns stay apart when the provider uses one id again', () => {
    const entries = projectEntries(history(['ToolCallStarted', call(1, 0)], ['ToolCallStarted', call(2, 0)]));
    expect(entries).toHaveLength(2);
  });

  it('a call whose outcome is unknown says so and is among what to read first', () => {
    const [entry] = projectEntries(
      history(
        ['ToolCallStarted', call(1, 0)],
        ['ToolCallFinished', { ...call(1, 0), outcome: 'unknown', content: 'cut' }],
      ),
    );
    expect(entry?.badge).toEqual({ tone: 'warn', text: 'outcome unknown' });
    expect(entry !== undefined && isWorthALook(entry)).toBe(true);
  });

  it('a resolved approval is one entry with its request and no longer asks for a look', () => {
    const asked = history(['ApprovalRequested', { approvalId: 'p1', tool: 'edit', arguments: '{}' }]);
    expect(projectEntries(asked).filter(isWorthALook)).toHaveLength(1);
    const entries = projectEntries(
      history(
        ['ApprovalRequested', { approvalId: 'p1', tool: 'edit', arguments: '{}' }],
        ['ApprovalResolved', { approvalId: 'p1', decision: 'deny', reason: 'too wide' }],
      ),
    );
    expect(entries).toMatchObject([
      { title: 'Approval of edit', badge: { tone: 'bad', text: 'denied' }, detail: 'too wide' },
    ]);
    expect(entries.filter(isWorthALook)).toHaveLength(0);
  });

  it('a revival names its epoch and its worker', () => {
    const [entry] = projectEntries(history(['RunStarted', { epoch: 2, workerId: 'elm', reason: 'revival' }]));
    expect(entry).toMatchObject({ title: 'Revived', detail: 'epoch 2 on elm', badge: { text: 'revival' } });
  });

  it('[L02] a turn that was cut at its cap says so', () => {
    const [entry] = projectEntries(history(['TurnRecorded', { turn: 1, stopReason: 'max_tokens' }]));
    expect(entry?.badge).toEqual({ tone: 'warn', text: 'cut at its cap' });
  });

  it('every record is in exactly one entry, also one of an event from a later version', () => {
    const names = fc.constantFrom(...eventNames, 'SomethingNewHappened');
    const facts = fc.oneof(
      fc.constant({}),
      fc.record({ call: fc.record({ turn: fc.nat({ max: 2 }), index: fc.nat({ max: 2 }) }) }),
      fc.record({ approvalId: fc.constantFrom('p1', 'p2') }),
      fc.dictionary(
        fc.constantFrom('tool', 'message', 'result', 'reason', 'usage', '__proto__'),
        fc.jsonValue(),
      ),
    );
    fc.assert(
      fc.property(fc.array(fc.tuple(names, facts)), (steps) => {
        const records = history(...steps);
        const held = projectEntries(records).flatMap((entry) => entry.records.map(({ version }) => version));
        expect(held.sort((left, right) => left - right)).toEqual(records.map(({ version }) => version));
      }),
    );
  });

  it('a search looks into titles, reasons and payloads, every word of it', () => {
    const entries = projectEntries(
      history(
        [
          'ToolCallRefused',
          { ...call(1, 0), tool: 'edit', reason: 'deny_all', arguments: '{"path":"ledger.ts"}' },
        ],
        ['ToolCallStarted', { ...call(1, 1), tool: 'edit', arguments: '{"path":"other.ts"}' }],
      ),
    );
    expect(filterEntries(entries, null, 'EDIT ledger')).toHaveLength(1);
    expect(filterEntries(entries, 'call', 'ledger')).toHaveLength(0);
    expect(filterEntries(entries, 'refusal', '')).toHaveLength(1);
    expect(filterEntries(entries, null, '  ')).toBe(entries);
  });
});
