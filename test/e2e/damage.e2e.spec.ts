import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import {
  launchFork,
  openSession,
  recordsOf,
  untilAgent,
  untilEnded,
  untilListed,
} from '../support/e2e/agents.js';
import { freePort } from '../support/e2e/free-port.js';
import { until } from '../support/e2e/processes.js';
import { runCli } from '../support/e2e/run-cli.js';
import { startSystem, type TestSystem } from '../support/e2e/start-system.js';

jest.setTimeout(240_000);

const script = { rules: [{ answer: { text: 'Nothing to do.' } }] };

describe('a running system in whose database one event was altered', () => {
  let system: TestSystem;
  let folder: string;
  let client: pg.Client;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'offshoot-damage-'));
    system = await startSystem({ workers: 2, port: await freePort() });
    await system.models.script('damage', script);
    client = new pg.Client({ connectionString: system.databaseUrl });
    await client.connect();
  });
  afterAll(async () => {
    await client.end();
    await system.stop();
    await rm(folder, { recursive: true });
  });

  const open = (text = 'Remember the number 42.') =>
    openSession(system.api, {
      projectRoot: folder,
      model: 'scripted:damage',
      history: [
        { role: 'user', content: text },
        { role: 'assistant', content: 'I will.' },
      ],
    });
  const offshoot = (...args: readonly string[]) => runCli(args, { DATABASE_URL: system.databaseUrl });
  /** Alters the payload of one version and answers how to restore it. */
  async function alter(agent: string, version: number): Promise<() => Promise<void>> {
    const where = 'where stream = $1 and version = $2';
    const { rows } = await client.query<{ data: string }>(`select data from event ${where}`, [
      agent,
      version,
    ]);
    await client.query(`update event set data = '{"forged":tru' ${where}`, [agent, version]);
    return async () => {
      await client.query(`update event set data = $3 ${where}`, [agent, version, rows[0]?.data]);
    };
  }
  /** Everything that a process has read before is forgotten, and the readers with effects meet the whole log again. */
  async function restartEverything(): Promise<void> {
    for (const pid of await system.workers()) process.kill(pid, 'SIGKILL');
    await system.restartOrchestrator();
    await client.query(
      `delete from checkpoint where reader in ('dispatch', 'family', 'delivery', 'question-delivery')`,
    );
  }
  const untilBlocked = (agent: string) => untilAgent(system.api, agent, ({ status }) => status === 'blocked');
  const message = (agent: string) => system.api.post(`/v1/agents/${agent}/messages`, { text: 'And now?' });
  const expectGoingOn = async (session: string): Promise<void> => {
    const agent = await launchFork(system.api, session, 'Do nothing.', []);
    expect(await untilEnded(system.api, agent)).toMatchObject({ status: 'completed' });
    await until('the outcome to be told', async () =>
      (await recordsOf(system.api, session)).some(
        ({ type, data }) => type === 'OutcomeDelivered' && data['agentId'] === agent,
      ),
    );
  };

  it('[LOG-5] blocks that agent, runs all others, and says so, before and after a restart of everything', async () => {
    const [session, other] = [await open(), await open()];
    const agent = await launchFork(system.api, session, 'Do nothing.', []);
    await untilEnded(system.api, agent);
    await until('the parent to be told', async () =>
      (await recordsOf(system.api, session)).some(({ type }) => type === 'OutcomeDelivered'),
    );
    const restore = await alter(agent, 3);
    // Whether this process had folded it before or not: it is refused, or taken and never run.
    await message(agent).catch(() => undefined);
    const expectBlocked = async (): Promise<void> => {
      expect(await untilBlocked(agent)).toMatchObject({
        blocked: { reason: 'chain_broken', detail: expect.stringContaining('version 3') },
        run: null,
      });
      const listed = await untilListed(system.api, session, (agents) =>
        agents.some(({ id, status }) => id === agent && status === 'blocked'),
      );
      expect(listed.map(({ id }) => id)).toContain(agent);
      const page = await system.api.get<object>(`/v1/agents/${agent}/transcript`);
      expect(page).toMatchObject({
        records: [{ version: 1 }, { version: 2 }],
        next: null,
        damage: { version: 3, fault: 'altered' },
      });
      const { code, stdout } = await offshoot('doctor');
      expect([code, stdout]).toEqual([
        1,
        expect.stringMatching(new RegExp(`^chain_broken +${agent} +altered at version 3$`, 'm')),
      ]);
      expect(stdout).not.toContain('projection_stale');
      await expectGoingOn(other);
    };
    await expectBlocked();
    await restartEverything();
    await expectBlocked();
    await expect(message(agent)).rejects.toMatchObject({ status: 409, code: 'AGENT_DAMAGED' });
    const { rows } = await client.query<{ type: string }>(
      'select type from event where stream = $1 order by version',
      [agent],
    );
    expect(rows.filter(({ type }) => type === 'RunStarted')).toHaveLength(1);
    expect(rows.filter(({ type }) => type === 'RevivalBlocked')).toHaveLength(1);

    const rebuilt = await offshoot('projections', 'rebuild');
    expect([rebuilt.code, rebuilt.stderr]).toEqual([0, expect.anything()]);
    const exported = await offshoot('export', '--all');
    expect(exported.code).toBe(1);
    expect(exported.stderr).toContain(`Session ${session} was left out: version 3 of agent ${agent}`);
    expect(exported.stdout).toContain(`"root":"${other}"`);
    expect(exported.stdout).not.toContain(agent);

    await restore();
    await system.api.post(`/v1/agents/${agent}/revive`);
    await until('the agent to take a message again', () =>
      message(agent).then(
        () => true,
        () => false,
      ),
    );
    await untilAgent(system.api, agent, ({ status, epoch }) => status === 'completed' && epoch === 2);
    expect(await offshoot('doctor')).toMatchObject({ code: 0 });
  });

  it('[LOG-5] runs no fork on half of what it inherits, and goes on for others behind a spoilt payload', async () => {
    const [session, other] = [await open('x'.repeat(2 * 1024 * 1024)), await open()];
    const { rowCount } = await client.query(
      `update blob_chunk set bytes = bytes || 'x' where (hash, chunk) in (
         select blob, 0 from event where stream = $1 and blob is not null)`,
      [session],
    );
    expect(rowCount).toBe(1);
    const launched = await launchFork(system.api, session, 'Do nothing.', []).catch(() => null);
    if (launched !== null)
      expect(await untilBlocked(launched)).toMatchObject({ blocked: { reason: 'chain_broken' }, epoch: 0 });
    await restartEverything();
    expect(await untilBlocked(session)).toMatchObject({ blocked: { reason: 'chain_broken' } });
    await untilListed(system.api, session, (agents) =>
      agents.some(({ id, status }) => id === session && status === 'blocked'),
    );
    await expect(launchFork(system.api, session, 'Do nothing.', [])).rejects.toMatchObject({
      status: 409,
      code: 'AGENT_DAMAGED',
    });
    await expectGoingOn(other);
    const { code, stdout } = await offshoot('doctor');
    expect([code, stdout]).toEqual([
      1,
      expect.stringMatching(new RegExp(`^payload_unreadable +${session} +payload_damaged at version`, 'm')),
    ]);
  });
});
