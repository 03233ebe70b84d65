import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { ApiClient } from '../../apps/cli/src/api/api-client.js';
import type { WorkerAnswer } from '../../apps/cli/src/api/api-shapes.js';
import { launchFork, openSession, recordsOf, untilEnded, untilRecorded } from '../support/e2e/agents.js';
import { pendingApprovals, untilAsked } from '../support/e2e/approvals.js';
import { until } from '../support/e2e/processes.js';
import { codeOf, type RawAnswer, rawRequest } from '../support/e2e/raw-request.js';
import { type CliAnswer, runCli } from '../support/e2e/run-cli.js';
import { type Replica, ReplicaEndedError, startReplica } from '../support/e2e/start-replica.js';
import { startSystem, type TestSystem } from '../support/e2e/start-system.js';

jest.setTimeout(180_000);

/** `append X` runs a command that asks; `wait` one that is at work until it is told. */
const script = {
  rules: [
    { when: { toolResultsSinceLastUser: { atLeast: 1 } }, answer: { text: 'Done: {{toolResult:0}}' } },
    {
      when: { lastUserMatches: 'append (\\w+)' },
      answer: {
        toolCalls: [{ name: 'run_shell_command', arguments: { command: 'echo {{match:1}} >> effect.log' } }],
      },
    },
    {
      answer: {
        toolCalls: [
          {
            name: 'run_shell_command',
            arguments: { command: 'until [ -e go ]; do sleep 0.05; done' },
          },
        ],
      },
    },
  ],
};

interface MadeKey {
  readonly id: string;
  readonly key: string;
  readonly tenant: string;
  readonly scopes: readonly string[];
}

describe('API keys', () => {
  let system: TestSystem;
  let replica: Replica;
  let workspace: string;

  beforeAll(async () => {
    system = await startSystem({ workers: 1 });
    await system.models.script('keys', script);
    replica = await startReplica(system);
  });
  beforeEach(async () => {
    workspace = await mkdtemp(join(tmpdir(), 'offshoot-keys-'));
  });
  afterEach(() => rm(workspace, { recursive: true }));
  afterAll(async () => {
    await replica.stop();
    await system.stop();
  });

  const offshoot = (...args: readonly string[]): Promise<CliAnswer> =>
    runCli(args, { DATABASE_URL: system.databaseUrl });
  async function make(tenant: string, scope: string): Promise<MadeKey> {
    const { code, stdout } = await offshoot(
      ...[
        'keys',
        'create',
        '--name',
        `${scope} of ${tenant}`,
        '--tenant',
        tenant,
        '--scope',
        scope,
        '--json',
      ],
    );
    expect(code).toBe(0);
    return JSON.parse(stdout) as MadeKey;
  }
  const client = ({ key }: MadeKey, address = system.api.address): ApiClient => new ApiClient(address, key);
  const decide = ({ key }: { readonly key: string }, id: string, decision = 'allow'): Promise<RawAnswer> =>
    rawRequest({ api: system.api, key }, `/v1/approvals/${id}`, { json: { decision } });
  const statusAt = async (address: string, { key }: MadeKey): Promise<number> =>
    (await fetch(`${address}/v1/agents`, { headers: { authorization: `Bearer ${key}` } })).status;
  const session = (api: ApiClient, approvalMode: string): Promise<string> =>
    openSession(api, { projectRoot: workspace, model: 'scripted:keys', approvalMode });

  it('[SEC-1] are made on the command line, shown once, and work at every orchestrator', async () => {
    const plain = await offshoot('keys', 'create', '--name', 'ci', '--scope', 'launch');
    const key = plain.stdout.trim();
    expect([plain.code, key]).toEqual([0, expect.stringMatching(/^osk_[\w-]{43}$/)]);
    expect(plain.stderr).not.toContain(key);
    for (const { address } of [system.api, replica])
      expect(await new ApiClient(address, key).get('/v1/agents')).toMatchObject({ items: [] });
    const listed = await offshoot('keys', 'list');
    expect(listed.stdout).toMatch(
      /ID +NAME +TENANT +SCOPES +CREATED +LAST USED +REVOKED\n.* ci +default +launch /,
    );
    expect(listed.stdout).not.toContain(key.slice(4));
  });

  it('[SEC-1] stop working at every orchestrator when they are revoked, and the streams that they opened end', async () => {
    const made = await make('acme', 'observe');
    const at = [system.api.address, replica.address];
    expect(await Promise.all(at.map((address) => statusAt(address, made)))).toEqual([200, 200]);
    const streams = await Promise.all(
      at.map((address) =>
        fetch(`${address}/v1/events`, { headers: { authorization: `Bearer ${made.key}` } }),
      ),
    );
    // Read to their end, which only the revocation can bring.
    const texts = Promise.all(streams.map((stream) => stream.text()));
    const revoked = await offshoot('keys', 'revoke', made.id, '--json');
    expect([revoked.code, JSON.parse(revoked.stdout)]).toMatchObject([
      0,
      { id: made.id, outcome: 'revoked' },
    ]);
    for (const address of at)
      await until('the end of the key', async () => (await statusAt(address, made)) === 401);
    for (const text of await texts)
      expect(text.trimEnd().split('\n\n').at(-1)).toBe('event: failed\ndata: {"code":"UNAUTHENTICATED"}');
    const again = await offshoot('keys', 'revoke', made.id);
    expect([again.code, again.stdout]).toEqual([0, expect.stringContaining('was revoked before')]);
  });

  it('are told about in the help, and a request that cannot be meant is refused by name', async () => {
    const help = await offshoot('keys', 'create', '--help');
    expect([help.code, help.stdout]).toEqual([0, expect.stringContaining('Examples:')]);
    const refused: readonly (readonly [readonly string[], RegExp])[] = [
      [
        ['create', '--name', 'x', '--scope', 'root'],
        /scopes: must be one of observe, launch, operate, admin/,
      ],
      [['create', '--name', 'x', '--scope', 'admin', '--tenant', 'A B'], /tenant: must be 1 to 63 of a-z/],
      [['create', '--name', '', '--scope', 'admin'], /name: must be 1 to 100/],
      [['revoke', 'all'], /the id of the key/],
      [['revoke', '01890000-0000-7000-8000-000000000000'], /There is no key 01890000/],
    ];
    for (const [args, told] of refused) {
      const { code, stderr } = await offshoot('keys', ...args);
      expect([args, code, stderr]).toEqual([args, 2, expect.stringMatching(told)]);
    }
    const nothing = await runCli(['keys', 'list', '--json'], { OFFSHOOT_DATA_DIR: workspace });
    expect([nothing.code, JSON.parse(nothing.stdout)]).toMatchObject([
      2,
      { error: { code: 'DATABASE_NOT_FOUND' } },
    ]);
  });

  it('[SEC-1] answer the approvals of their own tenant, with the scope for it: anything else leaves it open, and then it runs once', async () => {
    const [mine, theirs] = await Promise.all([make('acme', 'operate'), make('globex', 'admin')]);
    const launcher = await make('acme', 'launch');
    const api = client(mine);
    const agent = await launchFork(
      client(launcher),
      await session(client(launcher), 'default'),
      'append once',
    );
    const [approval] = await untilAsked(api, [agent]);
    const id = approval?.id ?? '';
    const before = (await recordsOf(api, agent)).length;

    for (const decision of ['allow', 'deny'])
      for (const other of [theirs, { key: system.key }]) {
        const answer = await decide(other, id, decision);
        expect([answer.status, codeOf(answer)]).toEqual([404, 'NOT_FOUND']);
      }
    const weak = await decide(launcher, id);
    expect([weak.status, codeOf(weak), (weak.body as { detail: string }).detail]).toEqual([
      403,
      'FORBIDDEN',
      expect.stringContaining('"operate"'),
    ]);
    expect((await recordsOf(api, agent)).length).toBe(before);
    expect((await pendingApprovals(api)).map((one) => one.id)).toEqual([id]);
    expect(await pendingApprovals(client(theirs))).toEqual([]);
    expect(await readdir(workspace)).toEqual([]);

    expect((await decide(mine, id)).status).toBe(200);
    expect((await untilEnded(api, agent)).status).toBe('completed');
    expect(await readFile(join(workspace, 'effect.log'), 'utf8')).toBe('once\n');
    const types = (await recordsOf(api, agent)).map(({ type }) => type);
    for (const type of ['ApprovalResolved', 'ToolCallStarted'])
      expect(types.filter((one) => one === type)).toHaveLength(1);
  });

  it('[SEC-1] see the workers, and on them the agents of their own tenant alone', async () => {
    const [mine, theirs] = await Promise.all([make('acme', 'operate'), make('globex', 'admin')]);
    const agent = await launchFork(client(mine), await session(client(mine), 'yolo'), 'wait');
    await untilRecorded(client(mine), agent, 'ToolCallStarted');
    const atWork = async (key: MadeKey): Promise<readonly (readonly string[])[]> =>
      (await client(key).get<{ items: WorkerAnswer[] }>('/v1/workers')).items.map(({ agents }) => agents);
    await until('the list of workers', async () => (await atWork(mine)).flat().includes(agent));
    expect(await atWork(theirs)).toEqual([[]]);
    const { items } = await system.api.get<{ items: WorkerAnswer[] }>('/v1/workers');
    expect(items.map(({ agents }) => agents)).toEqual([[]]);
    await client(mine).post(`/v1/agents/${agent}/cancel`);
    await untilEnded(client(mine), agent);
  });

  it('[SEC-1] that somebody made are what a server beyond loopback starts with, and it has no other', async () => {
    const options = { databaseUrl: system.databaseUrl, dataDir: workspace, host: '0.0.0.0' };
    const made = await make('acme', 'observe');
    const reached = await startReplica(options);
    const address = reached.address.replace('0.0.0.0', '127.0.0.1');
    expect(await statusAt(address, made)).toBe(200);
    expect(reached.dashboardUrl).toBeUndefined();
    // Neither made one, nor takes the one that a start on loopback made.
    expect(await readdir(workspace)).toEqual([]);
    expect(await statusAt(address, { ...made, key: system.key })).toBe(401);
    await reached.stop();
    await revokeAll();
    const refused = startReplica(options);
    await expect(refused).rejects.toThrow(ReplicaEndedError);
    await expect(refused).rejects.toThrow(/offshoot keys create/);
  });

  async function revokeAll(): Promise<void> {
    const database = new pg.Client({ connectionString: system.databaseUrl });
    await database.connect();
    await database.query('update api_key set revoked_at = now() where revoked_at is null');
    await database.end();
  }
});
