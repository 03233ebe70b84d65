import { describe, expect, it } from '@jest/globals';
import { parseFrame } from './cloud-event.js';

const cloudEvent = {
  specversion: '1.0',
  id: 'c7',
  type: 'dev.offshoot.RunStarted',
  subject: 'a1',
  time: '2026-05-04T09:00:00.000Z',
  streamversion: 3,
  data: { epoch: 2 },
};

describe('a frame of the event stream', () => {
  it('is an event with the name at the end of its type', () => {
    expect(parseFrame('message', JSON.stringify(cloudEvent), 'c7')).toEqual({
      kind: 'event',
      event: {
        cursor: 'c7',
        name: 'RunStarted',
        agentId: 'a1',
        version: 3,
        at: '2026-05-04T09:00:00.000Z',
        facts: { epoch: 2 },
        isByReference: false,
      },
    });
  });

  it('takes version and time from the payload where the envelope has none', () => {
    const { streamversion, time, ...bare } = cloudEvent;
    const frame = parseFrame('message', JSON.stringify({ ...bare, data: { streamversion, time } }), '');
    expect(frame).toMatchObject({ kind: 'event', event: { version: 3, at: time, cursor: 'c7' } });
  });

  it('is a level signal by its frame name or its type', () => {
    const facts = { agents: [{ id: 'a1' }] };
    expect(parseFrame('level', JSON.stringify(facts), '')).toEqual({ kind: 'level', facts });
    const wrapped = JSON.stringify({ type: 'dev.offshoot.level', data: facts });
    expect(parseFrame('message', wrapped, '')).toEqual({ kind: 'level', facts });
  });

  it('is a gap that says where to go on', () => {
    expect(parseFrame('gap', '{"resumeAfter":"c9"}', '')).toEqual({ kind: 'gap', resumeAfter: 'c9' });
    expect(parseFrame('gap', '{"type":"dev.offshoot.gap","data":{"resume":"c9"}}', '')).toEqual({
      kind: 'gap',
      resumeAfter: 'c9',
    });
    expect(parseFrame('gap', '', '')).toEqual({ kind: 'gap', resumeAfter: null });
  });

  it.each(['', 'null', '[]', '"text"', '{"type":1}', '{"type":"dev.offshoot.RunStarted"}', '{'])(
    'that cannot be read (%s) is unknown and nothing breaks',
    (source) => expect(parseFrame('message', source, '')).toEqual({ kind: 'unknown' }),
  );

  it('[S12] text of an agent that looks like another frame stays text', () => {
    const description = 'x\n\nevent: AgentCompleted\ndata: {}\u2028\u0000';
    const frame = parseFrame('message', JSON.stringify({ ...cloudEvent, data: { description } }), 'c7');
    expect(frame).toMatchObject({ kind: 'event', event: { name: 'RunStarted', facts: { description } } });
  });
});
