import { describe, expect, it } from '@jest/globals';
import { tmpdir } from 'node:os';
import { keptMetas } from '#agents';
import { type AgentEvent, encodeEvent, loadMeta, type StreamPage } from '#transcripts';
import { event, InMemoryTranscriptStore, newId, specRuntime, testContext } from '#transcripts/testing';
import { InProcessProviderLimiter } from '../models/in-process-provider-limiter.js';
import { RunHost, type RunHostTools } from './run-host.js';

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

/** A log that is away for so many appends once it is told to. */
class AbsentStore extends InMemoryTranscriptStore {
  away = 0;

  override append(...given: Parameters<InMemoryTranscriptStore['append']>) {
    if (this.away === 0) return super.append(...given);
    this.away -= 1;
    return Promise.reject(new Error('The database is away.'));
  }
}

const toolsOver = (store: InMemoryTranscriptStore): RunHostTools => ({
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

async function record(store: InMemoryTranscriptStore, stream: string, ...facts: readonly AgentEvent[]) {
  const { head } = await loadMeta(store, stream);
  const [first, ...rest] = facts.map((fact) => encodeEvent(fact, newId()));
  if (first === undefined) throw new Error('Nothing to record.');
  await store.append({ stream, expected: head, events: [first, ...rest], context: testContext });
}

describe('[RUN-3] a run whose worker lost its lease, or the database, and lives on', () => {
  const runLost = async (happens: (host: RunHost, store: AbsentStore) => void) => {
    const store = new AbsentStore();
    const [session, agent] = [newId(), newId()];
    const runtime = { ...specRuntime, projectRoot: tmpdir() };
    await record(store, session, event.sessionOpened({ sessionId: session, runtime }));
    const launched = event.agentLaunched({ agentId: agent, sessionId: session, parentId: session });
    await record(store, agent, launched, event.bootstrapRecorded(), event.launchPromptRecorded());
    const host: RunHost = new RunHost({
      ...toolsOver(store),
      resolveTools: () => Promise.resolve({ tools: [], withheld: [] }),
      open: () => {
        happens(host, store);
        throw new Error('What was under way fails.');
      },
    });
    await host.run(agent, 1);
    return (await loadMeta(store, agent)).status;
  };

  it('is interrupted as soon as the log can be written again, so that it goes on elsewhere', async () => {
    const lost = (host: RunHost, store: AbsentStore) => {
      store.away = 2;
      host.abandonAll('The lease is over.');
    };
    expect(await runLost(lost)).toBe('interrupted');
    expect(await runLost((_host, store) => (store.away = 2))).toBe('interrupted');
  });
});

describe('the runs of a worker', () => {
  it('[E17] a dispatch that is sent again while its agent is still being read reads nothing a second time', async () => {
    const store = new SlowStore();
    const host = new RunHost(toolsOver(store));
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
