import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { type AgentEvent, encodeEvent, loadMeta } from '#transcripts';
import {
  callKey,
  event,
  InMemoryTranscriptStore,
  newId,
  says,
  specSurface,
  testContext,
  wholeLog,
} from '#transcripts/testing';
import { createTestDatabase, type TestDatabase } from '../../../../test/support/test-database.js';
import { LogTools } from '../log/log-tools.js';
import { MetaCache } from '../log/meta-cache.js';
import { migrateDatabase } from '../migrations/migrate-database.js';
import { applyToRefusals } from './refusals/refusals.projection.js';
import { Refusals } from './refusals/refusals.js';
import { applyToUsage } from './usage/usage.projection.js';
import { UsageList } from './usage/usage-list.js';

const patience = 60_000;
const anything = { session: null, agent: null, reason: null, kind: null, after: null, limit: 100 };
const everybody = { session: null, agent: null };
const usage = { inputTokens: 10, cachedTokens: 5, cacheWriteTokens: 1, outputTokens: 3, costUsd: 0.1 };

describe('refusals and usage', () => {
  let database: TestDatabase;
  let pool: pg.Pool;
  let store: InMemoryTranscriptStore;
  let session: string;
  let fork: string;
  let refusals: Refusals;
  let used: UsageList;

  beforeAll(async () => {
    database = await createTestDatabase();
    await migrateDatabase(database.url, () => undefined);
    pool = new pg.Pool({ connectionString: database.url, max: 2 });
    [refusals, used] = [new Refusals(pool), new UsageList(pool)];
  }, patience);
  beforeEach(async () => {
    await pool.query('truncate refusal, agent_usage');
    store = new InMemoryTranscriptStore();
    [session, fork] = [newId(), newId()];
    await record(session, event.sessionOpened({ sessionId: session }));
    await record(fork, event.agentLaunched({ agentId: fork, sessionId: session, parentId: session }));
  });
  afterAll(async () => {
    await pool.end();
    await database.drop();
  });

  it('every refused call and launch is noted with whom, what and why, the newest first', async () => {
    await record(
      session,
      event.launchRefused({ code: 'ALLOWLIST_INVALID', message: 'fork_tools is no list.' }),
    );
    await record(fork, event.toolCallRefused({ name: 'edit', reason: 'not_in_allowlist' }));
    await read();
    const listed = await refusals.list('tenant-a', anything);
    expect(listed).toMatchObject([
      {
        agentId: fork,
        sessionId: session,
        version: 2,
        kind: 'call',
        tool: 'edit',
        reason: 'not_in_allowlist',
      },
      { agentId: session, sessionId: session, kind: 'launch', tool: null, reason: 'ALLOWLIST_INVALID' },
    ]);
    expect(listed[1]?.detail).toBe('fork_tools is no list.');
  });

  it('a tool that is withheld is noted once for each reason, however many runs find it so', async () => {
    const surface = { ...specSurface, withheld: [{ name: 'edit', reason: 'no_executor' }] };
    const other = { ...specSurface, withheld: [{ name: 'edit', reason: 'ambiguous_name' }] };
    await record(fork, event.runStarted({ surface }), event.surfaceChanged({ surface }));
    await read(1);
    await record(fork, event.runStarted({ surface }), event.surfaceChanged({ surface: other }));
    await read(1, 4);
    const listed = await refusals.list('tenant-a', { ...anything, kind: 'withheld' });
    expect(listed.map(({ version, reason }) => [version, reason]).sort()).toEqual([
      [2, 'no_executor'],
      [5, 'ambiguous_name'],
    ]);
  });

  it('are narrowed by session, agent, reason and kind, page by page without a gap or a double', async () => {
    const calls = Array.from({ length: 7 }, (_, index) =>
      event.toolCallRefused({ call: callKey(index), name: `tool${index}`, reason: index < 3 ? 'a' : 'b' }),
    );
    await record(fork, ...calls);
    await record(session, event.toolCallRefused({ name: 'own' }));
    await read();
    expect(await refusals.list('tenant-a', { ...anything, reason: 'a' })).toHaveLength(3);
    expect(await refusals.list('tenant-a', { ...anything, agent: session })).toHaveLength(1);
    expect(await refusals.list('tenant-a', { ...anything, session: newId() })).toEqual([]);
    const seen: (string | null)[] = [];
    for (let after = null as Awaited<ReturnType<Refusals['list']>>[number] | null; ;) {
      const page = await refusals.list('tenant-a', { ...anything, session, after, limit: 3 });
      seen.push(...page.map(({ tool }) => tool));
      if (page.length < 3) break;
      after = page.at(-1) ?? null;
    }
    expect(seen).toHaveLength(8);
    expect(new Set(seen).size).toBe(8);
  });

  it('[SEC-1] of another tenant are not there', async () => {
    await record(fork, event.toolCallRefused(), event.turnRecorded({ usage }));
    await read();
    expect(await refusals.list('tenant-b', anything)).toEqual([]);
    expect(await used.list('tenant-b', everybody, null, 10)).toEqual([]);
    expect((await used.total('tenant-b', everybody)).turns).toBe(0);
  });

  it('any name and reason that the log can hold is held', async () => {
    const odd = `\u0000\ud800${'é'.repeat(5_000)}`;
    await record(
      fork,
      event.toolCallRefused({ name: odd, reason: odd }),
      event.turnRecorded({ model: odd, usage }),
    );
    await read();
    const [found] = await refusals.list('tenant-a', anything);
    expect(found?.tool).toBe(`\ufffd\ufffd${'é'.repeat(254)}`);
    expect((await used.list('tenant-a', everybody, null, 10))[0]?.turns).toBe(1);
  });

  it('usage is summed by agent and model, exactly, however the log is cut into pages', async () => {
    await record(
      fork,
      ...Array.from({ length: 9 }, () => event.turnRecorded({ model: 'm1', usage })),
      event.turnRecorded({ model: 'm2', usage }),
      event.toolCallClassified({ model: 'judge', usage }),
      event.historyCompacted({ usage }),
      event.historyCompacted(),
    );
    await read(4);
    const items = await used.list('tenant-a', { session, agent: fork }, null, 10);
    expect(
      items.map(({ model, turns, sideRequests, costUsd }) => [model, turns, sideRequests, costUsd]),
    ).toEqual([
      [null, 0, 1, 0.1],
      ['judge', 0, 1, 0.1],
      ['m1', 9, 0, 0.9],
      ['m2', 1, 0, 0.1],
    ]);
    const total = await used.total('tenant-a', { session, agent: null });
    expect(total).toMatchObject({
      turns: 10,
      sideRequests: 2,
      inputTokens: 120,
      outputTokens: 36,
      costUsd: 1.2,
    });
    const { usage: folded } = await loadMeta(store, fork);
    expect(total.inputTokens).toBe(folded.inputTokens);
  });

  it('usage that nobody told is unknown, which is not nothing', async () => {
    const none = { inputTokens: 0, cachedTokens: 0, cacheWriteTokens: 0, outputTokens: 0, costUsd: 0 };
    await record(
      fork,
      event.turnRecorded({ model: 'silent', usage: none, isUsageReported: false, isPriced: false }),
      event.turnRecorded({ model: 'free', usage: { ...usage, costUsd: 0 }, isPriced: false }),
    );
    await read();
    expect(await used.list('tenant-a', everybody, null, 10)).toMatchObject([
      { model: 'free', inputTokens: 10, costUsd: null, unpricedTurns: 1 },
      { model: 'silent', inputTokens: null, outputTokens: null, costUsd: null, unreportedTurns: 1 },
    ]);
    expect(await used.total('tenant-a', everybody)).toMatchObject({ inputTokens: 10, costUsd: null });
  });

  it('a page of the log is one statement, whatever it holds', async () => {
    await record(
      fork,
      ...Array.from({ length: 50 }, () => event.toolCallRefused()),
      event.turnRecorded({ usage }),
    );
    await record(session, event.turnRecorded({ message: says('own'), usage }));
    expect(await read()).toBe(2);
  });

  async function record(stream: string, ...facts: AgentEvent[]): Promise<void> {
    const [first, ...rest] = facts.map((fact) => encodeEvent(fact, newId()));
    if (first === undefined) return;
    const { head } = await loadMeta(store, stream);
    await store.append({ stream, expected: head, events: [first, ...rest], context: testContext });
  }

  /** Applies the log behind its first `from` events in pages of `size`; answers how many statements that took. */
  async function read(size = 1_000, from = 0): Promise<number> {
    const cache = new MetaCache(new LogTools(store, newId));
    const events = (await wholeLog(store)).slice(from);
    const client = await pool.connect();
    let statements = 0;
    const counting = new Proxy(client, {
      get: (target, name) => {
        if (name === 'query') statements += 1;
        const value: unknown = Reflect.get(target, name);
        return typeof value === 'function' ? (value.bind(target) as unknown) : value;
      },
    });
    for (let start = 0; start < events.length; start += size) {
      const page = events.slice(start, start + size);
      await applyToRefusals(counting, page, cache);
      await applyToUsage(counting, page, cache);
    }
    client.release();
    return statements;
  }
});
