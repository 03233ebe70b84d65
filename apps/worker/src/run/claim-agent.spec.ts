import { beforeEach, describe, expect, it } from '@jest/globals';
import { tmpdir } from 'node:os';
import { keptMetas } from '#agents';
import { type AgentEvent, encodeEvent, loadMeta, type NewEvent, type StreamPage } from '#transcripts';
import { event, InMemoryTranscriptStore, newId, specRuntime, testContext } from '#transcripts/testing';
import { InProcessProviderLimiter } from '../models/in-process-provider-limiter.js';
import { claimAgent, type ClaimTools, takeInheritance } from './claim-agent.js';
import { RunHost } from './run-host.js';

const long = 2_000;

/** Counts the events that are read of each stream. */
class CountingStore extends InMemoryTranscriptStore {
  readonly read = new Map<string, number>();
  override async readStream(stream: string, after?: number, limit?: number): Promise<StreamPage> {
    const page = await super.readStream(stream, after, limit);
    this.read.set(stream, (this.read.get(stream) ?? 0) + page.events.length);
    return page;
  }
}

describe('the claim of a fork of a long agent', () => {
  let store: CountingStore;
  let tools: ClaimTools;
  let session: string;
  let parent: string;

  beforeEach(async () => {
    store = new CountingStore();
    tools = {
      ...{ store, newId, workerId: 'w1', sessions: keptMetas(store) },
      now: () => new Date(0),
      resolveTools: () => Promise.resolve({ tools: [], withheld: [] }),
    };
    [session, parent] = [newId(), newId()];
    const runtime = { ...specRuntime, projectRoot: tmpdir() };
    await record(session, event.sessionOpened({ sessionId: session, runtime }));
    await record(
      parent,
      event.agentLaunched({ agentId: parent, sessionId: session, parentId: session }),
      event.bootstrapRecorded(),
      ...Array.from({ length: long }, (_, index) =>
        event.messageAppended({ messageId: `m${index}`, run: false }),
      ),
    );
  });

  const record = async (stream: string, ...facts: readonly AgentEvent[]): Promise<void> => {
    const { head: expected } = await loadMeta(store, stream);
    const [first, ...rest] = facts.map((fact): NewEvent => encodeEvent(fact, newId()));
    if (first === undefined) throw new Error('Nothing to record.');
    await store.append({ stream, expected, events: [first, ...rest], context: testContext });
  };
  const forkAt = async (digest?: string): Promise<string> => {
    const agentId = newId();
    const { head } = await loadMeta(store, parent);
    const bootstrap = {
      parent: { agentId: parent, version: head.version },
      digest: digest ?? head.hash,
    };
    await record(
      agentId,
      event.agentLaunched({ agentId, sessionId: session, parentId: session }),
      event.bootstrapRecorded(bootstrap),
      event.launchPromptRecorded(),
    );
    store.read.clear();
    return agentId;
  };

  it('[RUN-1] reads its own events alone; what it inherits is read once it is won', async () => {
    const fork = await forkAt();
    const claim = await claimAgent(tools, fork, 1);
    expect(store.read.get(parent) ?? 0).toBe(0);
    expect(store.read.get(fork)).toBe(3);
    if (claim === null) throw new Error('The claim was lost.');
    expect(await takeInheritance(tools, claim)).toBeNull();
    expect(claim.loaded.history.build().messages).toHaveLength(long + 1);
  });

  it('[RUN-1] that is lost reads nothing of what it inherits', async () => {
    const fork = await forkAt();
    const claims = await Promise.all(Array.from({ length: 10 }, () => claimAgent(tools, fork, 1)));
    expect(claims.filter((claim) => claim !== null)).toHaveLength(1);
    expect(store.read.get(parent) ?? 0).toBe(0);
  });

  it('is blocked where what it inherits is not what it was, and nothing is asked for it', async () => {
    const fork = await forkAt('f'.repeat(64));
    let asked = 0;
    const model = { stream: () => Promise.reject(new Error(`asked ${(asked += 1)}`)) };
    const host = new RunHost({
      ...tools,
      limiter: new InProcessProviderLimiter({ maxConcurrent: 1 }),
      open: () => ({ ok: true, parts: { model } as never }),
      onRunOver: () => undefined,
      onFault: (_agent, thrown) => {
        throw thrown;
      },
      mayRun: () => true,
    });
    await host.run(fork, 1);
    const { status, blocked, run } = await loadMeta(store, fork);
    expect([status, blocked?.reason, run, asked]).toEqual(['blocked', 'bootstrap_unreadable', null, 0]);
  });
});
