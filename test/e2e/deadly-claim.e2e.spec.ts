import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { launchFork, openSession, recordsOf, untilAgent, untilEnded } from '../support/e2e/agents.js';
import { startSystem, type TestSystem } from '../support/e2e/start-system.js';

jest.setTimeout(300_000);

/** Server that takes the worker along while it is started, which is before the run is recorded. */
const deadlyServer = `
  const { execFileSync } = require('node:child_process');
  const ps = (field, pid) => execFileSync('ps', ['-o', field + '=', '-p', String(pid)], { encoding: 'utf8' }).trim();
  let pid = process.ppid;
  while (pid > 1 && !/node|MainThread/.test(ps('comm', pid))) pid = Number(ps('ppid', pid));
  if (pid > 1) process.kill(pid, 'SIGKILL');
  setTimeout(() => {}, 30000);`;

describe('a fork that takes its worker before a run is recorded', () => {
  let system: TestSystem;
  let workspace: string;

  beforeAll(async () => {
    workspace = await mkdtemp(join(tmpdir(), 'offshoot-deadly-claim-'));
    system = await startSystem({ workers: 1 });
    await system.models.script('calm', { rules: [{ answer: { text: 'Done.' } }] });
  });
  afterAll(async () => {
    await system.stop();
    await rm(workspace, { recursive: true });
  });

  it('[C07] is held back after a few workers, can be tried again and ended, and other forks go on', async () => {
    const { api } = system;
    const body = {
      ...{ projectRoot: workspace, model: 'scripted:calm', systemInstruction: 'You test.' },
      history: { format: 'openai', messages: [{ role: 'user', content: 'Hello.' }] },
      mcpServers: { deadly: { command: process.execPath, args: ['-e', deadlyServer] } },
    };
    const { id: session } = await api.post<{ id: string }>('/v1/sessions', body);
    const deadly = await launchFork(api, session, 'Go on.');
    const blocked = await untilAgent(api, deadly, ({ status }) => status === 'blocked', 240_000);
    expect(blocked).toMatchObject({ blocked: { reason: 'quarantined' }, epoch: 0, run: null });
    const types = (await recordsOf(api, deadly)).map(({ type }) => type);
    expect(types).not.toContain('RunStarted');
    expect(types.filter((type) => type === 'RevivalBlocked')).toHaveLength(1);
    const beside = await openSession(api, { projectRoot: workspace, model: 'scripted:calm' });
    expect((await untilEnded(api, await launchFork(api, beside, 'Look.'), 120_000)).status).toBe('completed');
    await api.post(`/v1/agents/${deadly}/revive`);
    expect((await api.get<{ status: string }>(`/v1/agents/${deadly}`)).status).toBe('queued');
    await api.post(`/v1/agents/${deadly}/cancel`);
    expect((await untilEnded(api, deadly)).status).toBe('cancelled');
  });
});
