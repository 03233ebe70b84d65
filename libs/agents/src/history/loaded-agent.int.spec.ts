import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import {
  createDataSource,
  encodeEvent,
  type NewEvent,
  NO_STREAM,
  openPostgresLog,
  type PostgresLog,
  runMigrations,
} from '#transcripts';
import { event, newId, testContext } from '#transcripts/testing';
import { type BundledScript, bundleScript } from '../../../../test/support/bundle-script.js';
import { fillLongAgent } from '../../../../test/support/long-agent/fill-long-agent.js';
import { createTestDatabase, type TestDatabase } from '../../../../test/support/test-database.js';

const patience = 180_000;
const mega = 1024 * 1024;
const long = { events: 40_000, bytes: 100 * mega, liveBytes: 2 * mega };

describe('an agent of 40,000 events and 100 MB, of which a compaction left 2 MB', () => {
  let database: TestDatabase;
  let log: PostgresLog;
  let script: BundledScript;
  const [parent, fork] = [newId(), newId()];

  beforeAll(async () => {
    database = await createTestDatabase();
    const source = await createDataSource({ url: database.url }).initialize();
    await runMigrations(source);
    await source.destroy();
    log = await openPostgresLog({ url: database.url });
    script = await bundleScript(join(import.meta.dirname, 'testing', 'load-long-agent.ts'));
    await record(parent, event.agentLaunched({ agentId: parent }), event.bootstrapRecorded());
    await fillLongAgent(log.store, parent, long);
    const pointer = await headOf(parent);
    await record(
      fork,
      event.agentLaunched({ agentId: fork, parentId: parent }),
      event.bootstrapRecorded({
        parent: { agentId: parent, version: pointer.version },
        digest: pointer.hash,
      }),
      event.launchPromptRecorded(),
    );
  }, patience);
  afterAll(async () => {
    await script.remove();
    await log.close();
    await database.drop();
  });

  async function record(
    stream: string,
    ...facts: readonly Parameters<typeof encodeEvent>[0][]
  ): Promise<void> {
    const [first, ...rest] = facts.map((fact): NewEvent => encodeEvent(fact, newId()));
    if (first === undefined) return;
    const events: [NewEvent, ...NewEvent[]] = [first, ...rest];
    expect(
      await log.store.append({ stream, expected: NO_STREAM, events, context: testContext }),
    ).toMatchObject({
      ok: true,
    });
  }

  async function headOf(stream: string) {
    const version = (await log.store.readHeads([stream])).get(stream) ?? 0;
    const [last] = (await log.store.readStream(stream, version - 1, 1)).events;
    return { version, hash: last?.hash ?? '' };
  }

  it(
    '[E17] is read for a revival, and as what a fork of it inherits, in a heap of 64 MB',
    async () => {
      const args = ['--max-old-space-size=64', script.path, database.url, parent, fork];
      const { stdout } = await promisify(execFile)(process.execPath, args);
      const [revived, inheriting] = stdout
        .trim()
        .split('\n')
        .map((line): unknown => JSON.parse(line));
      const summary = expect.stringContaining('The parts before');
      const first = { role: 'user', blocks: [{ type: 'text', text: summary }] };
      expect(revived).toMatchObject({ version: long.events, status: 'interrupted', first });
      expect(revived).toMatchObject({ openBatch: { message: { role: 'assistant' } } });
      expect(inheriting).toMatchObject({ status: 'queued', first, openBatch: null });
      const [own, inherited] = [revived, inheriting].map((found) => (found as { messages: number }).messages);
      // The placeholder of the call that is open, and the directive.
      expect(inherited).toBe((own ?? 0) + 2);
      expect(own).toBeLessThan(1_000);
    },
    patience,
  );
});
