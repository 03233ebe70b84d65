import { describe, expect, it } from '@jest/globals';
import { logFaults } from './quiet-faults.js';

interface Line {
  readonly reason?: string;
  readonly err?: unknown;
  readonly timesSinceThen?: number;
}

const refused = (address: string): Error =>
  Object.assign(new Error(`connect ECONNREFUSED ${address}`), { code: 'ECONNREFUSED', syscall: 'connect' });

const logged = () => {
  const lines: Line[] = [];
  const clock = { ms: 0 };
  const warn = (line: Line): void => void lines.push(line);
  const report = logFaults({ warn } as never, () => clock.ms);
  return { lines, clock, report };
};

describe('the log of queue faults', () => {
  it('[OPS-1] tells of a backend that is away once in ten seconds, by its reason, however many clients meet it', () => {
    const { lines, clock, report } = logged();
    for (clock.ms = 0; clock.ms < 20_000; clock.ms += 200) {
      report({ source: 'queue client', error: refused('127.0.0.1:9') });
      report({ source: 'worker of agents', error: refused('127.0.0.1:9') });
    }
    expect(lines).toEqual([
      { source: 'queue client', reason: 'connect ECONNREFUSED 127.0.0.1:9' },
      { source: 'queue client', reason: 'connect ECONNREFUSED 127.0.0.1:9', timesSinceThen: 99 },
    ]);
  });

  it('tells of another address, and of every other fault with its stack', () => {
    const { lines, report } = logged();
    const fault = new Error('WRONGTYPE');
    report({ source: 'queue client', error: refused('127.0.0.1:9') });
    report({ source: 'queue client', error: refused('127.0.0.1:10') });
    for (let time = 0; time < 2; time += 1) report({ source: 'queue client', error: fault });
    expect(lines.map(({ reason, err }) => reason ?? err)).toEqual([
      'connect ECONNREFUSED 127.0.0.1:9',
      'connect ECONNREFUSED 127.0.0.1:10',
      fault,
      fault,
    ]);
  });

  it('names every address of a host whose failure has no message of its own', () => {
    const { lines, report } = logged();
    const error = Object.assign(new AggregateError([refused('::1:9'), refused('127.0.0.1:9')], ''), {
      code: 'ECONNREFUSED',
    });
    report({ source: 'queue client', error });
    expect(lines[0]?.reason).toBe('connect ECONNREFUSED ::1:9, connect ECONNREFUSED 127.0.0.1:9');
  });
});
