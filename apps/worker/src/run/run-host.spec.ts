import { describe, expect, it } from '@jest/globals';
import { keptMetas } from '#agents';
import type { StreamPage } from '#transcripts';
import { InMemoryTranscriptStore, newId } from '#transcripts/testing';
import { InProcessProviderLimiter } from '../models/in-process-provider-limiter.js';
import { RunHost } from './run-host.js';

/** A log that answers when it is told to, and counts what it was asked. */
class SlowStore extends InMemoryTranscriptStore {
  reads = 0;
  readonly waiting: (() => void)[] = [];

  override async readStream(stream: string, after?: number, limit?: number): Promise<StreamPage> {
    this.reads += 1;
    await new Promise<void>((resolve) => this.waiting.push(resolve));
    return super.readStream(stream, after, limit);
  }
}

describe('the runs of a worker', () => {
  it('[E17] a dispatch that is sent again while its agent is still being read reads nothing a second time', async () => {
    const store = new SlowStore();
    const host = new RunHost({
      store,
      sessions: keptMetas(store),
      newId,
      workerId: 'w1',
      resolveTools: () => Promise.reject(new Error('Nothing is to be run.')),
      now: () => new Date(0),
      limiter: new InProcessProviderLimiter({ maxConcurrent: 1 }),
      open: () => ({ ok: false, reason: 'none', detail: '' }),
      onRunOver: () => undefined,
      onFault: () => undefined,
      mayRun: () => true,
    });
    const agent = newId();
    const first = host.run(agent, 1);
    await Promise.all([host.run(agent, 1), host.run(agent, 1)]);
    expect(store.reads).toBe(1);
    // Another epoch is another claim.
    const other = host.run(agent, 2);
    expect(store.reads).toBe(2);
    for (const answer of store.waiting) answer();
    await Promise.all([first, other]);
    const again = host.run(agent, 1);
    expect(store.reads).toBe(3);
    store.waiting.at(-1)?.();
    await again;
  });
});
