import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { holdTransaction } from '../../libs/transcripts/src/store/postgres/testing/held-transaction.js';
import { NO_STREAM, openPostgresLog, type PostgresLog, type StreamHead } from '#transcripts';
import { newEvent, newId } from '#transcripts/testing';
import {
  launchFork,
  openSession,
  recordsOf,
  untilAgent,
  untilEnded,
  untilListed,
} from '../support/e2e/agents.js';
import { EventReader } from '../support/e2e/event-reader.js';
import { until } from '../support/e2e/processes.js';
import { codeOf, rawRequest } from '../support/e2e/raw-request.js';
import { startSystem, type TestSystem } from '../support/e2e/start-system.js';

jest.setTimeout(240_000);

const rules = [
  { when: { lastUserContains: 'WAIT' }, answer: { text: 'Late.' }, delivery: { delayMs: 600_000 } },
  { answer: { text: 'Nothing to do.' } },
];

describe('streams that many write to at once, or a newer release wrote to', () => {
  let folder: string;
  let system: TestSystem;
  let log: PostgresLog;
  let sessionId: string;
  let tenant: string;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'offshoot-contended-'));
    system = await startSystem({ workers: 1 });
    log = await openPostgresLog({ url: system.databaseUrl });
    await system.models.script('contended', { rules });
    sessionId = await openSession(system.api, { projectRoot: folder, model: 'scripted:contended' });
    tenant = (await log.store.readStream(sessionId)).events[0]?.tenant ?? '';
  });
  afterAll(async () => {
    await log.close();
    await system.stop();
    await rm(folder, { recursive: true, force: true });
  });

  it('[LOG-2] [E01] an event of a transaction that stays open comes to subscribers and lists before what was committed earlier', async () => {
    const reader = new EventReader({ address: system.api.address, key: system.key });
    await reader.start();
    const context = { actor: 'system:spec', tenant };
    const [early, late] = [newId(), newId()];
    const append = (stream: string) => ({
      stream,
      expected: NO_STREAM,
      events: [newEvent({ type: 'New' })] as const,
      context,
    });
    const held = await holdTransaction(system.databaseUrl);
    await held.append(append(early));
    await log.store.append(append(late));
    await until('the feed to be held back', async () => {
      const { heldForMs } = await system.api.get<{ heldForMs: number }>('/v1/feed');
      return heldForMs > 0;
    });
    expect(reader.seen).toEqual([]);
    await held.commit();
    await reader.until(() => reader.seen.length >= 2);
    await reader.stop();
    expect(reader.seen.map(({ subject }) => subject)).toEqual([early, late]);
  });

  it('[E03] 50 commands at once on one stream: each has one outcome, none is a fault, and versions have no hole', async () => {
    const before = (await recordsOf(system.api, sessionId)).length;
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, n) =>
        rawRequest(system, `/v1/sessions/${sessionId}/runtime`, {
          method: 'PATCH',
          json: { systemInstruction: `Instruction ${n}.` },
        }),
      ),
    );
    const won = answers.filter(({ status }) => status === 200);
    const lost = answers.filter(({ status }) => status !== 200);
    expect(lost.map((answer) => [answer.status, codeOf(answer)])).toEqual(
      lost.map(() => [409, 'VERSION_CONFLICT']),
    );
    const records = (await recordsOf(system.api, sessionId)).slice(before);
    expect(records.map(({ version }) => version)).toEqual(records.map((_, index) => before + index + 1));
    expect(records.filter(({ type }) => type === 'RuntimeChanged')).toHaveLength(won.length);
    expect(won.length).toBeGreaterThan(0);
  });

  it('[E04] 20 launches with one key, before and after the first is recorded, are one fork and one answer', async () => {
    const launch = (key: string) =>
      rawRequest(system, `/v1/sessions/${sessionId}/agents`, {
        json: { description: 'once', prompt: 'Do nothing.', subagent_type: 'fork' },
        headers: { 'idempotency-key': key },
      });
    const idOf = ({ body }: { readonly body: unknown }) => (body as { id: string }).id;
    const answers = await Promise.all(Array.from({ length: 10 }, () => launch('one-fork')));
    while (answers.length < 20) answers.push(await launch('one-fork'));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([202]));
    const ids = new Set(answers.map(idOf));
    expect(ids.size).toBe(1);
    // The list follows the log in its order: once it shows a later fork, it has shown every earlier one.
    const later = idOf(await launch('another-fork'));
    const listed = await untilListed(system.api, sessionId, (agents) =>
      agents.some(({ id }) => id === later),
    );
    const forks = listed.filter(({ kind }) => kind === 'fork').map(({ id }) => id);
    expect(forks.sort()).toEqual([...ids, later].sort());
  });

  /** Records an event of a type that this release does not know, at the end of a stream. */
  async function recordUnknown(stream: string, type: string, data: string): Promise<void> {
    for (;;) {
      const last = (await log.store.readStream(stream)).events.at(-1);
      const expected: StreamHead =
        last === undefined ? NO_STREAM : { version: last.version, hash: last.hash };
      const events = [newEvent({ type, data })] as const;
      const result = await log.store.append({
        stream,
        expected,
        events,
        context: { actor: 'system:newer', tenant },
      });
      if (result.ok) return;
    }
  }

  it.each([
    [
      'tells a fact that nobody here needs: it goes on and ends',
      'WeatherNoted',
      '{"sky":"blue"}',
      'completed',
    ],
    ['states a policy: it stops and says why', 'PolicyNarrowed', '{"entries":["glob"]}', 'blocked'],
  ])('[E19] [POL-6] a lost agent to which a newer release %s', async (_what, type, data, status) => {
    const agent = await launchFork(system.api, sessionId, 'WAIT for it.');
    await untilAgent(system.api, agent, (found) => found.status === 'running');
    const [worker] = await system.workers();
    process.kill(worker ?? 0, 'SIGSTOP');
    await recordUnknown(agent, type, data);
    await system.models.script('contended', { rules: rules.slice(1) });
    process.kill(worker ?? 0, 'SIGKILL');
    const found =
      status === 'completed'
        ? await untilEnded(system.api, agent)
        : await untilAgent(system.api, agent, (now) => now.status === 'blocked');
    expect(found.status).toBe(status);
    await system.models.script('contended', { rules });
    const records = await recordsOf(system.api, agent);
    expect(records.filter((record) => record.type === type)).toHaveLength(1);
    await untilListed(system.api, sessionId, (agents) =>
      agents.some((listed) => listed.id === agent && listed.status === status),
    );
  });
});
