import { describe, expect, it } from '@jest/globals';
import { parsePostmasterPid } from './parse-postmaster-pid.js';

const written = '123\n/data/cluster\n1700000000\n5433\n\n127.0.0.1\n  1234 5\nready   \n';

describe('postmaster.pid', () => {
  it('tells process, port and status of a running server', () => {
    expect(parsePostmasterPid(written)).toEqual({ pid: 123, port: 5433, status: 'ready' });
  });

  it('may be read before it is written to its end', () => {
    expect(parsePostmasterPid('123\n/data/cluster\n')).toEqual({
      pid: 123,
      port: undefined,
      status: undefined,
    });
  });

  it.each(['', '\n', 'abc\n', '0\n', '-5\n', '12x\n'])('%j names no process', (text) => {
    expect(parsePostmasterPid(text)).toBeUndefined();
  });
});
