import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { getEventListeners } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { createDataSource, openPostgresLog, type PostgresLog, runMigrations } from '#transcripts';
import { call, says } from '#transcripts/testing';
import { createTestDatabase, type TestDatabase } from '../../../../test/support/test-database.js';
import { InProcessProviderLimiter } from '../models/in-process-provider-limiter.js';
import { openModel } from '../models/model-catalog.js';
import { type ScriptedServer, startScriptedServer } from '../models/testing/start-scripted-server.js';
import { readFileTool } from '../tools/read-file.js';
import { runAgent } from './run-agent.js';
import { openTestRun } from './testing/open-test-run.js';

/** 2,000 is the promise; a part of it shows the same slope in every check. */
const turns = Number(process.env['OFFSHOOT_SPEC_TURNS'] ?? 300);
const every = 20;
const warmUp = 100;
/** What a turn may leave behind: its messages as objects, and nothing that is counted in megabytes over a life. */
const mostBytesPerTurn = 6_000;

jest.setTimeout(600_000);
setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

interface Sample {
  readonly turn: number;
  readonly heapBytes: number;
  readonly listeners: number;
  readonly resources: number;
}

describe('a fork of very many turns', () => {
  let database: TestDatabase;
  let log: PostgresLog;
  let models: ScriptedServer;
  let projectRoot: string;

  beforeAll(async () => {
    database = await createTestDatabase();
    const onError = (): undefined => undefined;
    const source = createDataSource({
      url: database.url,
      extraMigrations: [],
      poolSize: 1,
      applicationName: 'spec',
      onError,
    });
    await source.initialize();
    await runMigrations(source);
    await source.destroy();
    log = await openPostgresLog({ url: database.url, applicationName: 'spec', onError });
    models = await startScriptedServer();
    projectRoot = await mkdtemp(join(tmpdir(), 'offshoot-long-'));
    await writeFile(join(projectRoot, 'a.txt'), 'a line\n'.repeat(20));
    await models.putScript('long', {
      rules: [
        {
          when: { assistantTurns: { below: turns } },
          answer: {
            text: 'On.',
            toolCalls: [{ name: 'read_file', arguments: '{"path":"a.txt","offset":{{turn}}}' }],
          },
        },
        { answer: { text: 'Done.' } },
      ],
    });
  });
  afterAll(async () => {
    await models.stop();
    await log.close();
    await database.drop();
    await rm(projectRoot, { recursive: true });
  });

  it('keeps heap, listeners and resources flat over its turns', async () => {
    const samples: Sample[] = [];
    const controller = new AbortController();
    const opened = openModel('scripted:long', { scripted: { baseUrl: models.url } });
    if (!opened.ok) throw new Error(opened.message);
    const { run } = await openTestRun({
      tools: [readFileTool],
      turn: says('', call('read_file', 'call-1-0', '{"path":"a.txt"}')),
      runtime: { projectRoot },
      store: log.store,
      signal: controller.signal,
    });
    const sample = (): void => {
      const turn = run.log.meta.turns;
      if (turn % every !== 0) return;
      collect();
      samples.push({
        turn,
        heapBytes: process.memoryUsage().heapUsed,
        listeners: getEventListeners(controller.signal, 'abort').length,
        resources: process.getActiveResourcesInfo().length,
      });
    };
    const limits = { ...run.limits, maxTurns: turns + 10, maxToolCalls: turns + 10, maxTokens: 1e12 };
    const { model, modelName } = opened;
    const price = (): null => {
      sample();
      return null;
    };
    const context = { ...run, limits, model, modelName, services: { ...run.services, price } };
    expect(await runAgent(context, new InProcessProviderLimiter({ maxConcurrent: 4 }))).toBe('finished');
    expect(run.log.meta.turns).toBe(turns + 1);

    const settled = samples.filter(({ turn }) => turn >= warmUp);
    expect(slopeOf(settled)).toBeLessThan(mostBytesPerTurn);
    const [first] = settled;
    expect(new Set(settled.map(({ listeners }) => listeners))).toEqual(new Set([first?.listeners]));
    const most = Math.max(...settled.map(({ resources }) => resources));
    expect(most).toBeLessThan((first?.resources ?? 0) + 10);
  });
});

/** Bytes of heap a turn, by least squares. */
function slopeOf(samples: readonly Sample[]): number {
  const mean = (of: (sample: Sample) => number): number =>
    samples.reduce((sum, sample) => sum + of(sample), 0) / samples.length;
  const [turn, heap] = [mean((sample) => sample.turn), mean((sample) => sample.heapBytes)];
  const shared = mean((sample) => (sample.turn - turn) * (sample.heapBytes - heap));
  return shared / mean((sample) => (sample.turn - turn) ** 2);
}
