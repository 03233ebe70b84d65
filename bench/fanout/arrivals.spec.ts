import { beforeEach, describe, expect, it } from '@jest/globals';
import { Arrivals } from './arrivals.js';

const line = (id: string): string => `data: {"specversion":"1.0","id":"${id}","source":"/v1/agents"}`;

describe('what subscribers got of what was committed', () => {
  let arrivals: Arrivals;
  beforeEach(() => {
    arrivals = new Arrivals();
  });

  it('is one latency for each event and subscriber, none below zero, whatever else a stream says', async () => {
    for (const other of [': heartbeat', '', 'event: level', 'data: {"unfinished":[]}', line('early')])
      arrivals.heard(other);
    arrivals.committed('early');
    arrivals.heard(line('early'));
    const latencies = await arrivals.latenciesMs(2, 0);
    expect(latencies[0]).toBe(0);
    expect(latencies).toHaveLength(2);
    expect(Math.min(...latencies)).toBeGreaterThanOrEqual(0);
  });

  it.each([
    ['lost', 1],
    ['doubled', 3],
  ])('is a fault and no figure where an event was %s', async (_what, times) => {
    arrivals.committed('a');
    for (let time = 0; time < times; time += 1) arrivals.heard(line('a'));
    await expect(arrivals.latenciesMs(2, 0)).rejects.toThrow(`Event a came ${times} times to 2 subscribers.`);
  });
});
