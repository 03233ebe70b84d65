import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { launchFork, openSession, recordsOf, untilAgent, untilEnded } from '../support/e2e/agents.js';
import { requestsOf } from '../support/e2e/model-requests.js';
import { startSystem, type TestSystem } from '../support/e2e/start-system.js';

jest.setTimeout(120_000);

interface TokenCounts {
  readonly inputTokens: number;
  readonly cachedTokens: number;
  readonly cacheWriteTokens: number;
}

/** In tokens of four bytes, as the strict server counts them. */
const window = 20_000;
/** Less than the output cap of a model of which nothing is known. */
const small = 7_000;
const tokens = (count: number): string => 'word '.repeat((count * 4) / 5);

/** A history of which a request fills the given share of the window. */
const filling = (share: number) => [
  { role: 'user', content: `Remember this. ${tokens((window * share) / 2)}` },
  { role: 'assistant', content: `I will. ${tokens((window * share) / 2)}` },
];

const summing = { lastUserContains: 'Sum up this conversation.' };
const scripts = {
  brief: {
    window,
    rules: [
      { when: summing, answer: { text: 'They spoke of words.' } },
      { when: { toolResultsSinceLastUser: { atLeast: 1 } }, answer: { text: 'Found.' } },
      {
        when: { lastUserContains: 'look' },
        answer: { toolCalls: [{ name: 'list_directory', arguments: { path: '.' } }] },
      },
      { answer: { text: 'Done.' } },
    ],
  },
  wordy: {
    window: small,
    rules: [{ when: summing, answer: { text: tokens(small * 1.05) } }, { answer: { text: 'Done.' } }],
  },
  /** Reads until its history has to be compacted, and is done then. */
  reader: {
    window,
    rules: [
      { when: summing, answer: { text: 'They read of words.' } },
      { when: { anyUserContains: 'They read of words.' }, answer: { text: 'Done.' } },
      { answer: { toolCalls: [{ name: 'read_file', arguments: { path: 'words.txt' } }] } },
    ],
  },
  mute: { window, rules: [{ when: summing, error: { status: 400 } }, { answer: { text: 'Done.' } }] },
};

describe.each(['scripted', 'anthropic'])(
  'a fork of a history that nearly fills the window (%s)',
  (protocol) => {
    let system: TestSystem;
    let workspace: string;

    beforeAll(async () => {
      const models = Object.fromEntries(
        ['brief', 'wordy', 'reader', 'mute'].map((name) => [
          `${protocol}:${name}`,
          { contextWindow: name === 'wordy' ? small : window },
        ]),
      );
      const prices = { [`${protocol}:brief`]: { input: 1, cached: 1, cacheWrite: 1, output: 1 } };
      system = await startSystem({ workers: 1, operator: { models, prices } });
      workspace = await mkdtemp(join(tmpdir(), 'offshoot-compaction-'));
      await writeFile(join(workspace, 'words.txt'), tokens(5_000));
      for (const [name, script] of Object.entries(scripts)) await system.models.script(name, script);
    });
    afterAll(async () => {
      await system.stop();
      await rm(workspace, { recursive: true });
    });

    const open = (script: string, share: number) =>
      openSession(system.api, {
        projectRoot: workspace,
        model: `${protocol}:${script}`,
        history: filling(share),
      });
    const compactionsOf = async (agentId: string) =>
      (await recordsOf(system.api, agentId)).filter(({ type }) => type === 'HistoryCompacted').length;

    it('[L15] is compacted before its first request; directive and restriction stay, and what it costs is counted', async () => {
      const session = await open('brief', 0.95);
      const fork = await launchFork(system.api, session, 'TASK: look around', ['list_directory']);
      const { status, usage } = await untilEnded(system.api, fork);
      expect(status).toBe('completed');
      expect(await compactionsOf(fork)).toBe(1);
      const requests = await requestsOf(system.models, fork);
      expect(requests.map((request) => request.status)).toEqual([200, 200, 200]);
      const [, first = '', second = ''] = requests.map(({ body }) => body);
      for (const body of [first, second]) {
        expect(body).toContain('They spoke of words.');
        expect(body).toContain('TASK: look around');
        expect(body).toContain('list_directory');
        expect(body).not.toContain('word word');
      }
      expect(usage).toMatchObject({ turns: 2, unpricedTurns: 0 });
      const records = await recordsOf(system.api, fork);
      const inputOf = (type: string): number =>
        records
          .filter((record) => record.type === type)
          .map(({ data }) => data['usage'] as TokenCounts)
          .reduce((sum, told) => sum + told.inputTokens + told.cachedTokens + told.cacheWriteTokens, 0);
      const { costUsd, ...counted } = usage as unknown as TokenCounts & { costUsd: number };
      expect(inputOf('HistoryCompacted')).toBeGreaterThan(0);
      expect(counted.inputTokens + counted.cachedTokens + counted.cacheWriteTokens).toBe(
        inputOf('HistoryCompacted') + inputOf('TurnRecorded'),
      );
      expect(costUsd).toBeGreaterThan(0);
    });

    it('[L15] keeps directive and restriction word for word when they lie far behind what it read since', async () => {
      const session = await open('reader', 0.02);
      const fork = await launchFork(system.api, session, 'TASK: read on', ['read_file', 'glob']);
      expect((await untilEnded(system.api, fork)).status).toBe('completed');
      const requests = await requestsOf(system.models, fork);
      expect(requests.filter(({ status }) => status !== 200)).toEqual([]);
      const prompt = (await recordsOf(system.api, fork)).find(({ type }) => type === 'LaunchPromptRecorded');
      const { text, directive } = prompt?.data as { text: string; directive: string };
      const last = requests.at(-1)?.body ?? '';
      expect(await compactionsOf(fork)).toBe(1);
      expect(last).toContain('They read of words.');
      expect(directive).toBe('TASK: read on');
      expect(last.split(JSON.stringify(text).slice(1, -1))).toHaveLength(2);
    });

    it.each([
      ['wordy', 2],
      ['mute', 0],
    ])('[L15] ends with its reason after two tries that do not help (%s)', async (script, recorded) => {
      const fork = await launchFork(system.api, await open(script, 1.2), 'TASK');
      const { status, outcome } = await untilEnded(system.api, fork);
      expect([status, outcome?.reason]).toEqual(['failed', 'context_overflow']);
      expect(await compactionsOf(fork)).toBe(recorded);
      const summaries = (await requestsOf(system.models, fork)).filter(({ body }) =>
        body.includes('Sum up this'),
      );
      expect(summaries).toHaveLength(2);
    });

    it('[L15] as a session is compacted at its next message, and goes on', async () => {
      const session = await open('brief', 0.95);
      await system.api.post(`/v1/sessions/${session}/messages`, { text: 'And now?' });
      await untilAgent(system.api, session, ({ status, usage }) => status === 'idle' && usage.turns === 1);
      await system.api.post(`/v1/sessions/${session}/messages`, { text: 'And then?' });
      await untilAgent(system.api, session, ({ status, usage }) => status === 'idle' && usage.turns === 2);
      expect(await compactionsOf(session)).toBe(1);
      const bodies = (await requestsOf(system.models, session)).map(({ body }) => body);
      expect(bodies.at(-1)).toContain('And now?');
      expect(bodies.at(-1)).toContain('And then?');
    });
  },
);
