import { describe, expect, it } from '@jest/globals';
import { cancelAgent } from '../agent/end-run.js';
import { accepted, type Decision } from '../agent/decision.js';
import { launchAgent } from '../agent/launch-agent.js';
import { queueMessage } from '../agent/exchange.js';
import type { AgentMeta } from '../agent-meta/agent-meta.js';
import { event } from '../testing/events.js';
import { newId, testContext, wholeStream } from '../testing/new-events.js';
import { type Command, executeCommand, loadMeta } from './execute-command.js';
import { InMemoryTranscriptStore } from './in-memory-transcript-store.js';
import { verifyStream } from './verify-stream.js';

const bodyHash = 'a'.repeat(64);

async function launched() {
  const store = new InMemoryTranscriptStore();
  const tools = { store, newId };
  const stream = newId();
  const facts = {
    launched: event.agentLaunched({ agentId: stream }).data,
    bootstrap: event.bootstrapRecorded().data,
    prompt: event.launchPromptRecorded().data,
  };
  const run = (decide: Command['decide'], more: Partial<Command> = {}) =>
    executeCommand(tools, { stream, decide, context: testContext, ...more });
  await run((meta) => launchAgent(facts, meta));
  return { store, tools, stream, run };
}

const queue = (messageId: string) => (meta: AgentMeta) =>
  queueMessage(event.messageQueued({ messageId }).data, meta);

describe('executeCommand', () => {
  it('[E03] 50 concurrent commands on one stream: versions without holes, one outcome each', async () => {
    const { store, stream, run } = await launched();
    const results = await Promise.all(Array.from({ length: 50 }, (_, index) => run(queue(`m${index}`))));
    const won = results.flatMap((result, index) => (result.ok ? [`m${index}`] : []));
    const events = await wholeStream(store, stream);
    expect(events.map(({ version }) => version)).toEqual(events.map((_, index) => index + 1));
    expect(events.length).toBe(3 + won.length);
    expect((await loadMeta(store, stream)).pending.map(({ messageId }) => messageId).sort()).toEqual(
      won.sort(),
    );
    for (const result of results) if (!result.ok) expect(result).toMatchObject({ code: 'VERSION_CONFLICT' });
    expect(won.length).toBeGreaterThanOrEqual(24);
    expect((await verifyStream(store, stream)).ok).toBe(true);
  });

  it('[E03] a command that loses too often is a conflict that names the version, and has written nothing', async () => {
    const { store, stream, run } = await launched();
    let rival = 0;
    const append = store.append.bind(store);
    store.append = async (request) => {
      const { hash } = (await loadMeta(store, stream)).head;
      const version = 3 + rival;
      const id = newId();
      rival += 1;
      await append({ stream, expected: { version, hash }, context: testContext, events: [{ ...blank, id }] });
      return append(request);
    };
    const result = await run(queue('m'));
    expect(result).toMatchObject({ ok: false, code: 'VERSION_CONFLICT', version: 3 + rival });
    expect((await loadMeta(store, stream)).pending.map(({ messageId }) => messageId)).not.toContain('m');
  });

  it('a decision is made again on what others recorded meanwhile', async () => {
    const { run } = await launched();
    const cancel = (meta: AgentMeta) => cancelAgent({ by: 'key:k', reason: 'cancelled' }, meta);
    const results = await Promise.all([run(cancel), run(cancel)]);
    expect(results.map((result) => (result.ok ? 'ok' : result.code)).sort()).toEqual(['AGENT_ENDED', 'ok']);
  });

  it('a refused command writes nothing and ids are drawn only for what is recorded', async () => {
    const { store, stream, run, tools } = await launched();
    expect((await run(queue('m'), { stream: newId() })).ok).toBe(false);
    expect((await run(() => accepted())).ok).toBe(true);
    expect((await wholeStream(store, stream)).length).toBe(3);
    expect((await store.readLog(null)).events.length).toBe(3);
    expect(tools.newId()).not.toBe(tools.newId());
  });

  it('known state that is behind is caught up with, not trusted', async () => {
    const { store, stream, run } = await launched();
    const from = await loadMeta(store, stream);
    await run(queue('first'));
    expect((await run(queue('second'), { from })).ok).toBe(true);
    expect((await loadMeta(store, stream)).pending.map(({ messageId }) => messageId)).toEqual([
      'first',
      'second',
    ]);
  });

  it('a stream longer than a page folds to its end', async () => {
    const { store, stream, run } = await launched();
    const many = Array.from({ length: 1_200 }, (_, index) => event.messageQueued({ messageId: `m${index}` }));
    await run(() => ({ ok: true, events: many }));
    expect((await loadMeta(store, stream)).pending.length).toBe(1_200);
  });
});

describe('idempotency', () => {
  const keyed = { idempotency: { key: 'k1', bodyHash } };

  it('a command sent again under its key is answered with what the first one recorded', async () => {
    const { store, stream, run } = await launched();
    expect(await run(queue('m'), keyed)).toMatchObject({ ok: true, head: { version: 4 } });
    const again = await run(queue('m'), keyed);
    expect(again).toMatchObject({ ok: true, duplicate: { stream, version: 4, bodyHash } });
    expect((await wholeStream(store, stream)).length).toBe(4);
  });

  it('losers of a race under one key get the winner’s answer', async () => {
    const { store, stream, run } = await launched();
    const results = await Promise.all(Array.from({ length: 20 }, () => run(queue('m'), keyed)));
    expect(results.filter((result) => result.ok && result.duplicate === undefined).length).toBe(1);
    expect(results.every((result) => result.ok)).toBe(true);
    expect((await wholeStream(store, stream)).length).toBe(4);
  });

  it('a repeated command that its own first effect would refuse, or leave nothing to do, gets the first answer', async () => {
    const { run } = await launched();
    const cancel = (meta: AgentMeta): Decision => cancelAgent({ by: 'key:k', reason: 'cancelled' }, meta);
    await run(cancel, keyed);
    expect(await run(cancel, keyed)).toMatchObject({ ok: true, duplicate: { version: 4 } });
    expect(await run(() => accepted(), keyed)).toMatchObject({ ok: true, duplicate: { version: 4 } });
    expect(await run(cancel)).toMatchObject({ ok: false, code: 'AGENT_ENDED' });
    expect(await run(cancel, { idempotency: { key: 'k2', bodyHash } })).toMatchObject({
      code: 'AGENT_ENDED',
    });
  });
});

const blank = { type: 'MessageQueued', schema: 1, data: '{"messageId":"r","from":"x","text":""}' };
