import { describe, expect, it } from '@jest/globals';
import { evolve } from '../agent-meta/evolve.js';
import { metaOf } from '../testing/decider-spec.js';
import { event, recordOf, says } from '../testing/events.js';
import { eventSchemas } from './agent-event.js';
import { decodeEvent, encodeEvent } from './event-codec.js';
import type { SoundEvent } from './recorded-event.js';
import { currentSchema, upcast } from './upcast.js';

const recordWith = (fields: Partial<SoundEvent>): SoundEvent => ({
  ...recordOf(event.messageQueued(), 2),
  ...fields,
});
const foldedWith = (fields: Partial<SoundEvent>) =>
  evolve(metaOf(event.agentLaunched()), decodeEvent(recordWith(fields)));
const nested = (depth: number): string => `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`;

describe('round trip', () => {
  it.each(Object.values(event).map((build) => build()))('$type comes back as it was recorded', (fact) => {
    expect(decodeEvent(recordOf(fact, 1))).toMatchObject({ type: fact.type, data: fact.data });
  });
  it('NUL, lone surrogates and argument text come back code unit by code unit', () => {
    const text = 'a\u0000b\ud800c "1.0e+2"';
    const fact = event.turnRecorded({
      message: says(text, { type: 'call', id: 'c', name: 'edit', arguments: '{"n": 1.0e+2 , "n":2}' }),
    });
    const record = recordOf(fact, 1);
    expect(record.data).not.toMatch(/[\u0000\ud800]/);
    expect(decodeEvent(record)).toMatchObject({ data: fact.data });
  });
  it('every schema is written at its current version', () => {
    for (const fact of Object.values(event).map((build) => build())) {
      expect(encodeEvent(fact, 'id').schema).toBe(currentSchema(fact.type));
    }
    expect(
      Object.values(event)
        .map((build) => build().type)
        .sort(),
    ).toEqual(Object.keys(eventSchemas).sort());
  });
  it('a payload that stands at the current schema passes the upcast point as it is', () => {
    const data = { messageId: 'm' };
    expect(upcast('MessageQueued', currentSchema('MessageQueued'), data)).toBe(data);
  });
});

describe('unknown events', () => {
  it('[E19] a type from the future is kept and skipped, and the head moves on', () => {
    const meta = foldedWith({ type: 'MoodChanged', data: '{"mood":"fine"}' });
    expect([meta.status, meta.unreadablePolicy, meta.head.version]).toEqual(['queued', null, 2]);
  });
  it.each([
    ['by its name', 'PolicyNarrowed', '{}'],
    ['by its name', 'ToolsetPinned', '{}'],
    ['by what it carries', 'AgentTuned', '{"ceiling":null}'],
    ['by what it carries deep inside', 'SessionMoved', '{"changes":[{"permissions":{"deny":["edit"]}}]}'],
    ['for all that can be known', 'AgentTuned', '{"torn'],
  ])('[E19] [POL-6] an unknown event that states a policy %s stops the run: %s %s', (_how, type, data) => {
    expect(foldedWith({ type, data }).unreadablePolicy).toBe(type);
  });
  it('[E19] a known fact in a newer form is not skipped: what it says could be an end or a bound', () => {
    for (const type of ['AgentCompleted', 'RuntimeChanged', 'RunStarted'] as const) {
      expect(foldedWith({ type, schema: currentSchema(type) + 1, data: '{}' }).unreadablePolicy).toBe(type);
    }
  });
  it('[POL-6] the first unreadable policy fact is the one that is told', () => {
    const first = foldedWith({ type: 'PolicyNarrowed', data: '{}' });
    const second = evolve(first, decodeEvent(recordWith({ version: 3, type: 'CeilingMoved', data: '{}' })));
    expect(second.unreadablePolicy).toBe('PolicyNarrowed');
  });
  it.each([1_500, 6_000, 100_000])(
    '[E11] an unknown payload nested %d deep is read without recursion',
    (depth) => {
      expect(decodeEvent(recordWith({ type: 'MoodChanged', data: nested(depth) }))).toMatchObject({
        statesPolicy: false,
      });
    },
  );
});

describe('payloads that are not what they should be', () => {
  it.each([
    ['no JSON', '{"messageId":'],
    ['another shape', '{"messageId":1,"from":"x","text":"y"}'],
    ['a field too few', '{"messageId":"m"}'],
    ['null', 'null'],
    ['a list', '[]'],
  ])('[POL-6] [E19] %s stops the run of its agent and no reader of the log', (_what, data) => {
    expect(decodeEvent(recordWith({ data }))).toMatchObject({ type: 'unknown', statesPolicy: true });
    expect(foldedWith({ data }).unreadablePolicy).toBe('MessageQueued');
  });
  it('fields that a later release added to a payload of this schema are left out', () => {
    const data = '{"messageId":"m","from":"x","text":"y","later":1}';
    expect(decodeEvent(recordWith({ data }))).toMatchObject({
      data: { messageId: 'm', from: 'x', text: 'y' },
    });
  });
  it('[T04] [POL-6] a launch without policy or ceiling is readable, and reads as no policy at all', () => {
    const { policy: _policy, ceiling: _ceiling, ...rest } = event.agentLaunched().data;
    const read = decodeEvent(recordWith({ type: 'AgentLaunched', data: JSON.stringify(rest) }));
    expect(read).toMatchObject({ type: 'AgentLaunched', data: { policy: null, ceiling: null } });
  });
  it('a launch that may call no tool at all is readable', () => {
    const launched = event.agentLaunched({ limits: { maxToolCalls: 0 } });
    expect(decodeEvent(recordOf(launched, 1))).toMatchObject({ data: { limits: { maxToolCalls: 0 } } });
  });
});
