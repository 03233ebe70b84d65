import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Module, type Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { ApiClient, ApiProblem } from '../../apps/cli/src/api/api-client.js';
import { AppModule } from '../../apps/orchestrator/src/app.module.js';
import { createServer } from '../../apps/orchestrator/src/http/create-server.js';
import { WorkerModule } from '../../apps/worker/src/worker.module.js';
import { migrateDatabase } from '../../apps/orchestrator/src/migrations/migrate-database.js';
import { launchFork, openSession, recordsOf, untilRecorded } from '../support/e2e/agents.js';
import { startScriptedModels, type ScriptedModels } from '../support/e2e/scripted-models.js';
import { createTestDatabase, type TestDatabase } from '../support/test-database.js';

jest.setTimeout(180_000);

const apiKey = 'osk_a-key-of-the-spec-that-is-long-enough';
const script = {
  rules: [
    {
      when: { lastUserContains: 'Think' },
      answer: { text: 'I think about it for a long while before I say anything at all.' },
      delivery: { chunkSize: 1, chunkDelayMs: 1_000 },
    },
    { answer: { toolCalls: [{ name: 'run_shell_command', arguments: { command: 'sleep 60' } }] } },
  ],
};

type Metadata = 'providers' | 'imports';

/** The module with one of its lists in another order. */
function reordered(
  module: Type,
  key: Metadata,
  order: (list: readonly unknown[]) => readonly unknown[],
): Type {
  const of = (name: string): unknown[] => (Reflect.getMetadata(name, module) as unknown[] | undefined) ?? [];
  class Reordered {}
  const metadata = { imports: of('imports'), providers: of('providers'), controllers: of('controllers') };
  Module({ ...metadata, [key]: order(metadata[key]) } as object)(Reordered);
  return Reordered;
}

const orders: readonly (readonly [string, (list: readonly unknown[]) => readonly unknown[]])[] = [
  ['as it stands', (list) => list],
  ['backwards', (list) => [...list].reverse()],
  ['the last one first', (list) => [...list.slice(-1), ...list.slice(0, -1)]],
  ['the second half first', (list) => [...list.slice(list.length / 2), ...list.slice(0, list.length / 2)]],
];

describe('closing a process in the middle of its work', () => {
  let database: TestDatabase;
  let models: ScriptedModels;
  let workspace: string;
  let before: NodeJS.ProcessEnv;

  beforeAll(async () => {
    before = { ...process.env };
    database = await createTestDatabase();
    await migrateDatabase(database.url, () => undefined);
    models = await startScriptedModels();
    await models.script('order', script);
    workspace = await mkdtemp(join(tmpdir(), 'offshoot-order-'));
    Object.assign(process.env, {
      DATABASE_URL: database.url,
      OFFSHOOT_DATA_DIR: workspace,
      OFFSHOOT_SCRIPTED_BASE_URL: models.url,
      OFFSHOOT_API_KEY: apiKey,
      OFFSHOOT_LOG_LEVEL: 'silent',
    });
    delete process.env['REDIS_URL'];
  });
  afterAll(async () => {
    process.env = before;
    await models.stop();
    await database.drop();
    await rm(workspace, { recursive: true });
  });

  const listen = async (module: Type): Promise<[NestFastifyApplication, ApiClient]> => {
    const app = await createServer(module);
    await app.listen(0, '127.0.0.1');
    return [app, new ApiClient(await app.getUrl(), apiKey)];
  };

  it.each(['Think about it.', 'Run it.'])(
    '[N03] a worker writes the end of its run before it lets go of the database, in whatever order it was put together: %s',
    async (prompt) => {
      const [server, api] = await listen(AppModule);
      const session = await openSession(api, { projectRoot: workspace, model: 'scripted:order' });
      const fork = await launchFork(api, session, prompt);
      const causes = [];
      for (const [index, [, order]] of orders.entries()) {
        const worker = await NestFactory.createApplicationContext(
          reordered(WorkerModule, 'providers', order),
          { logger: ['error', 'warn'] },
        );
        await untilRecorded(api, fork, 'RunStarted', `"epoch":${index + 1}`);
        if (prompt.startsWith('Run'))
          await untilRecorded(api, fork, 'ToolCallStarted', `"epoch":${index + 1}`);
        await worker.close();
        const last = (await recordsOf(api, fork)).at(-1);
        causes.push([last?.type, last?.data['epoch'], last?.data['cause']]);
      }
      await server.close();
      expect(causes).toEqual(orders.map((_order, index) => ['RunInterrupted', index + 1, 'drained']));
    },
  );

  it.each(orders)(
    '[N03] [LOG-1] an orchestrator answers what it took on before it lets go of the database: imports %s',
    async (_what, order) => {
      const [server, api] = await listen(reordered(AppModule, 'imports', order));
      const session = await openSession(api, { projectRoot: workspace, model: 'scripted:order' });
      const launches = Array.from({ length: 40 }, () =>
        launchFork(api, session, 'Think about it.').then(
          (id) => ({ id, status: 202 }),
          (problem: unknown) => ({
            id: '',
            status: problem instanceof ApiProblem ? problem.status : 'cut off',
          }),
        ),
      );
      // Some are under way by then, some are not there yet.
      await Promise.race(launches);
      await server.close();
      const answers = await Promise.all(launches);
      const [again, client] = await listen(AppModule);
      const launched = answers.filter(({ status }) => status === 202);
      for (const { id } of launched)
        expect((await recordsOf(client, id)).slice(0, 3).map(({ type }) => type)).toEqual([
          'AgentLaunched',
          'BootstrapRecorded',
          'LaunchPromptRecorded',
        ]);
      await again.close();
      // Refused because it is closing, or never taken: nobody hears of a fault of ours.
      expect(answers.filter(({ status }) => ![202, 503, 'cut off'].includes(status))).toEqual([]);
      expect(launched.length).toBeGreaterThan(0);
    },
  );
});
