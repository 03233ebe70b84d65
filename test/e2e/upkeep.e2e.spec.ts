import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import type { AgentAnswer } from '../../apps/cli/src/api/api-shapes.js';
import { launchFork, openSession, recordsOf, untilEnded, untilListed } from '../support/e2e/agents.js';
import { runCli } from '../support/e2e/run-cli.js';
import { startSystem, type TestSystem } from '../support/e2e/start-system.js';

jest.setTimeout(180_000);

const script = { rules: [{ answer: { text: 'Nothing to do.' } }] };

describe('the upkeep of a running system', () => {
  let folder: string;
  let system: TestSystem;
  let sessionId: string;
  let agent: string;

  const offshoot = (...args: readonly string[]) => runCli(args, { DATABASE_URL: system.databaseUrl });
  const query = async (text: string, values: readonly unknown[]): Promise<void> => {
    const client = new pg.Client({ connectionString: system.databaseUrl });
    await client.connect();
    await client.query(text, [...values]);
    await client.end();
  };

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'offshoot-upkeep-'));
    system = await startSystem({ workers: 1 });
    await system.models.script('upkeep', script);
    sessionId = await openSession(system.api, { projectRoot: folder, model: 'scripted:upkeep' });
    agent = await launchFork(system.api, sessionId, 'Do nothing.', []);
    await untilEnded(system.api, agent);
  });
  afterAll(async () => {
    await system.stop();
    await rm(folder, { recursive: true });
  });

  it('[N01] builds the read models again while forks run, and nothing runs or is told twice by it', async () => {
    await query(`update agent_roster set status = 'running', version = 0 where agent_id = $1`, [agent]);
    const [rebuilt, other] = await Promise.all([
      offshoot('projections', 'rebuild', '--json'),
      launchFork(system.api, sessionId, 'Do nothing.').then((id) => untilEnded(system.api, id)),
    ]);
    expect(rebuilt.code).toBe(0);
    expect(other.status).toBe('completed');
    const forks = (agents: readonly AgentAnswer[]) => agents.filter(({ kind }) => kind === 'fork');
    const listed = await untilListed(
      system.api,
      sessionId,
      (agents) => forks(agents).length >= 2 && forks(agents).every((agent) => agent.status === 'completed'),
    );
    expect(forks(listed)).toHaveLength(2);
    const told = (await recordsOf(system.api, sessionId)).filter(({ type }) => type === 'OutcomeDelivered');
    expect(new Set(told.map(({ data }) => data['agentId'])).size).toBe(told.length);
    expect((await recordsOf(system.api, agent)).filter(({ type }) => type === 'RunStarted')).toHaveLength(1);
  });

  it('finds nothing where nothing is wrong, and a non-zero code and the agent where something is', async () => {
    expect(await offshoot('doctor')).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('nothing was found'),
    });
    await query(`update event set actor = 'key:somebody' where stream = $1 and version = 1`, [agent]);
    const { code, stdout } = await offshoot('doctor');
    expect(code).toBe(1);
    expect(stdout).toMatch(new RegExp(`^chain_broken +${agent} +altered at version 1$`, 'm'));
    const json = await offshoot('doctor', '--json');
    expect(JSON.parse(json.stdout)).toMatchObject({ findings: [{ kind: 'chain_broken', subject: agent }] });
  });

  it('refuses to rebuild what is no projection', async () => {
    const { code, stderr } = await offshoot('projections', 'rebuild', 'delivery');
    expect(code).toBe(2);
    expect(stderr).toContain('There is no projection delivery; there are agent-roster, approval-inbox');
  });
});
