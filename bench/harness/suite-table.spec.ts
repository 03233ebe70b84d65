import { describe, expect, it } from '@jest/globals';
import { interleave } from './interleave.js';
import { measurement } from './measurement.js';
import { suiteTable, withSuiteTable } from './suite-table.js';

describe('the table of a run', () => {
  const text = suiteTable({
    suite: { name: 'gate', method: 'By the clock.' },
    measurements: [
      measurement({
        suite: 'gate',
        metric: 'a',
        unit: 'ns',
        value: 60,
        peer: { name: 'b', value: 30 },
        goal: { atMost: 50 },
      }),
      measurement({ suite: 'gate', metric: 'c', unit: 'ms', value: 1 }),
    ],
    machine: { cores: 2, processor: 'Some', node: 'v20', load: 1.5 },
    date: '2026-11-30',
  });

  it('says value, peer, ratio and whether the goal is met, then cores, load and method', () => {
    expect(text).toContain('| a | 60 ns | b: 30 ns | 2 | 50 ns: missed |');
    expect(text).toContain('| c | 1 ms |  |  |  |');
    expect(text).toContain('on 2 cores (Some), Node v20, load 1.5 at the start.');
    expect(text.endsWith('By the clock.')).toBe(true);
  });
});

describe('the document', () => {
  const document =
    'Head\n\n<!-- bench:a -->\nold a\n<!-- /bench:a -->\n\n<!-- bench:b -->\nold b\n<!-- /bench:b -->\nTail\n';

  it('gets one table replaced and keeps the rest', () => {
    expect(withSuiteTable(document, 'a', 'new a')).toBe(document.replace('old a', 'new a'));
    expect(withSuiteTable(document, 'b', 'new b')).toBe(document.replace('old b', 'new b'));
  });

  it('gets a new suite at its end, which the next run replaces', () => {
    const first = withSuiteTable(document, 'c', 'one');
    expect(first.startsWith(document.trimEnd())).toBe(true);
    expect(withSuiteTable(first, 'c', 'two')).toBe(first.replace('one', 'two'));
  });
});

describe('interleaved rounds', () => {
  it('take turns, every second round backwards, and drop the warm-up', async () => {
    const order: string[] = [];
    const contestant = (name: string) => ({
      name,
      sample: (round: number) => {
        order.push(name);
        return round;
      },
    });
    const samples = await interleave([contestant('a'), contestant('b')], { rounds: 2, warmUps: 1 });
    expect(order.join('')).toBe('abbaab');
    expect([...samples]).toEqual([
      ['a', [1, 2]],
      ['b', [1, 2]],
    ]);
  });
});
