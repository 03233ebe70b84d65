import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { isJobId, jobId, parseJobId } from './job-id.js';

const uuid = fc.uuid({ version: 7 });
const count = fc.integer({ min: 0, max: 999_999_999 });

describe('job ids', () => {
  it('[Q04] every id made from a UUID, an epoch and a dispatch is one that both backends accept', () => {
    fc.assert(
      fc.property(uuid, count, count, (agentId, epoch, dispatch) => {
        expect(isJobId(jobId(agentId, epoch, dispatch))).toBe(true);
      }),
    );
  });

  it('[Q03] two dispatches of one agent never share an id, and the parts are read back', () => {
    fc.assert(
      fc.property(uuid, count, count, count, (agentId, epoch, first, second) => {
        fc.pre(first !== second);
        expect(jobId(agentId, epoch, first)).not.toBe(jobId(agentId, epoch, second));
        expect(parseJobId(jobId(agentId, epoch, first))).toEqual({ agentId, epoch, dispatch: first });
      }),
    );
  });

  it.each(['', 'a:b', 'a:b:c', '🦊', 'x'.repeat(300), 'a b', '-a', 'ä'])(
    '[Q04] %j is refused as an agent id',
    (agentId) => {
      expect(() => jobId(agentId, 1, 1)).toThrow(RangeError);
    },
  );

  it.each([-1, 1.5, Number.NaN, 1e9])('[Q04] %p is refused as an epoch and as a dispatch', (value) => {
    expect(() => jobId('a', value, 1)).toThrow(RangeError);
    expect(() => jobId('a', 1, value)).toThrow(RangeError);
  });

  it.each(['', '123', 'a:b', 'a:b:c', 'a_b', 'x'.repeat(201)])('[Q04] %j is no job id', (text) => {
    expect(isJobId(text)).toBe(false);
  });

  it.each(['', 'a', 'a-1', 'a-1-b', 'a-1-2\n'])('%j has no parts of a job id', (text) => {
    expect(parseJobId(text)).toBeUndefined();
  });
});
