import { createHash } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import pg from 'pg';
import { startWebSite, type WebSite } from '../../apps/worker/src/browser/testing/web-site.js';
import { chromiumForTests } from '../support/chromium.js';
import {
  killWorkersOf,
  launchFork,
  openSession,
  recordsOf,
  untilEnded,
  untilRecorded,
} from '../support/e2e/agents.js';
import { untilAsked } from '../support/e2e/approvals.js';
import { until } from '../support/e2e/processes.js';
import { startSystem, type TestSystem } from '../support/e2e/start-system.js';

jest.setTimeout(180_000);

const tool = (name: string, given: object = {}) => ({
  answer: { toolCalls: [{ name: `browser_${name}`, arguments: given }] },
});
/** One answer after the other, by how many results the agent has. */
const steps = (...answers: readonly object[]) => ({
  rules: [
    ...answers.map((answer, index) => ({ when: { toolResultsSinceLastUser: index }, ...answer })),
    { answer: { text: 'Done.' } },
  ],
});

/** The browsers that run in a temporary folder of ours, by its path in their command lines. */
async function browsersIn(folder: string): Promise<number> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const lines = await Promise.all(
    pids.map((pid) => readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')),
  );
  return lines.filter((line) => line.includes(`--user-data-dir=${folder}/`)).length;
}

(chromiumForTests('browser tools over a worker') === null ? describe.skip : describe)(
  'a session with a browser',
  () => {
    let system: TestSystem;
    let site: WebSite;
    let folder: string;
    const temporary = process.env['TMPDIR'];

    beforeAll(async () => {
      folder = await mkdtemp(join(tmpdir(), 'offshoot-e2e-browser-'));
      // What the workers' browsers leave lies here, and nobody else's does.
      process.env['TMPDIR'] = folder;
      site = await startWebSite();
      system = await startSystem({ workers: 2 });
    });
    afterAll(async () => {
      await system.stop();
      await site.stop();
      if (temporary === undefined) delete process.env['TMPDIR'];
      else process.env['TMPDIR'] = temporary;
      const left = [
        await browsersIn(folder),
        (await readdir(folder)).filter((name) => name.includes('browser')),
      ];
      await rm(folder, { recursive: true });
      expect(left).toEqual([0, []]);
    });

    const open = async (name: string, script: object, approvalMode = 'yolo'): Promise<string> => {
      await system.models.script(name, script);
      return openSession(system.api, { projectRoot: folder, model: `scripted:${name}`, approvalMode });
    };
    const results = async (agentId: string): Promise<readonly Readonly<Record<string, unknown>>[]> =>
      (await recordsOf(system.api, agentId)).flatMap(({ type, data }) =>
        type === 'ToolCallFinished' ? [data] : [],
      );

    it('a fork fills a form, and its picture is a blob that its transcript names', async () => {
      const script = steps(
        tool('goto', { url: site.address }),
        tool('fill', { selector: '#name', text: 'Ada' }),
        tool('click', { selector: 'role=button' }),
        tool('screenshot'),
      );
      const agentId = await launchFork(system.api, await open('form', script), 'Order.');
      expect((await untilEnded(system.api, agentId)).status).toBe('completed');
      const [opened, filled, clicked, seen] = await results(agentId);
      expect([opened, filled, clicked, seen].map((data) => data?.['outcome'])).toEqual([
        'ok',
        'ok',
        'ok',
        'ok',
      ]);
      expect(clicked?.['content']).toContain('Thanks, Ada');
      const { blob, sizeBytes } = seen?.['picture'] as { blob: string; sizeBytes: number };
      expect(seen?.['picture']).toEqual({ mediaType: 'image/png', blob, sizeBytes });
      const bytes = await storedBlob(system, blob);
      expect(createHash('sha256').update(bytes).digest('hex')).toBe(blob);
      expect([bytes.length, bytes.subarray(1, 4).toString()]).toEqual([sizeBytes, 'PNG']);
    });

    it('[POL-4] a fork that may only look is refused what acts, and sees no page', async () => {
      const script = steps(tool('goto', { url: `${site.address}/refused` }), tool('console'));
      const agentId = await launchFork(system.api, await open('look', script), 'Look.', ['browser_console']);
      const ended = await untilEnded(system.api, agentId);
      expect(ended.outcome?.refusedTools).toEqual(['browser_goto']);
      expect(site.asked.some((line) => line.includes('/refused'))).toBe(false);
      expect((await results(agentId)).at(-1)).toMatchObject({
        outcome: 'error',
        content: expect.stringContaining('No page is open here') as unknown,
      });
    });

    it('in the mode that asks, opening a page waits for a person', async () => {
      const script = steps(tool('goto', { url: `${site.address}/asked` }));
      const agentId = await launchFork(system.api, await open('ask', script, 'default'), 'Open.');
      const [approval] = await untilAsked(system.api, [agentId]);
      expect(approval?.tool).toBe('browser_goto');
      expect(site.asked.some((line) => line.includes('/asked'))).toBe(false);
      await system.api.post(`/v1/approvals/${approval?.id}`, { decision: 'allow' });
      expect((await untilEnded(system.api, agentId)).status).toBe('completed');
      expect(site.asked.filter((line) => line.includes('/asked'))).toHaveLength(1);
    });

    it('[C01] [RUN-2] a killed worker takes its browser with it; the page is not opened again, and the fork is told', async () => {
      const script = steps(tool('goto', { url: `${site.address}/never` }), tool('console'));
      const agentId = await launchFork(system.api, await open('killed', script), 'Open.');
      await untilRecorded(system.api, agentId, 'ToolCallStarted');
      await until('the page to be asked for', () =>
        Promise.resolve(site.asked.some((line) => line.includes('/never'))),
      );
      await killWorkersOf(system.api, agentId);
      expect((await untilEnded(system.api, agentId)).status).toBe('completed');
      const [opened, looked] = await results(agentId);
      expect(opened).toMatchObject({ name: 'browser_goto', outcome: 'unknown' });
      expect(looked?.['content']).toContain('No page is open here');
      expect(site.asked.filter((line) => line.includes('/never'))).toHaveLength(1);
    });
  },
);

/** The bytes of a blob, as they lie in the database. */
async function storedBlob({ databaseUrl }: TestSystem, hash: string): Promise<Buffer> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  const { rows } = await client.query<{ bytes: Buffer }>(
    `select bytes from blob_chunk where hash = decode($1, 'hex') order by chunk`,
    [hash],
  );
  await client.end();
  return Buffer.concat(rows.map(({ bytes }) => bytes));
}
