import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { tmpdir } from 'node:os';
import pg from 'pg';
import { type DeclaredRoute, declaredRoutes } from '../testing/declared-routes.js';
import { tenantHoldings, type TenantHoldings } from '../testing/tenant-holdings.js';
import { type Answer, TestOrchestrator } from '../testing/test-orchestrator.js';

const call = { description: 'a fork', prompt: 'Look.', subagent_type: 'fork' };

/** Bodies that are accepted; a route that is not here is sent an empty object, and must be added when it does not take that. */
const bodies: Readonly<Record<string, (of: TenantHoldings) => readonly object[]>> = {
  'POST /v1/sessions': () => [{ projectRoot: tmpdir(), model: 'scripted:none', systemInstruction: 'Help.' }],
  'PATCH /v1/sessions/:id/runtime': () => [{ approvalMode: 'yolo' }],
  'POST /v1/sessions/:id/messages': () => [
    { text: 'hello' },
    { history: { format: 'openai', messages: [{ role: 'user', content: 'hi' }] }, run: false },
  ],
  'POST /v1/sessions/:id/agents': () => [call],
  'POST /v1/agents/:id/fork': () => [
    { description: 'a fork', prompt: 'Look.' },
    { description: 'a fork', prompt: 'Look.', atVersion: 1 },
  ],
  'POST /v1/agents/:id/messages': () => [{ text: 'hello' }],
  'POST /v1/approvals/:id': () => [{ decision: 'allow' }, { decision: 'deny' }],
  'POST /v1/questions/:id': () => [{ text: 'because' }],
  'POST /v1/policy/evaluate': ({ fork, session }) => [
    { agentId: fork, calls: [] },
    { surface: { builtin: [], mcp: [] }, sessionId: session, fork_tools: ['read_file'], calls: [] },
  ],
  'POST /v1/policy/suggest': ({ fork }) => [{ agentId: fork }],
  'POST /v1/policy/replay': ({ fork }) => [{ agentId: fork, fork_tools: ['read_file'] }],
};
/** Bodies that hold an id of their own, and so are answered 404 without one in the path. */
const speaksById = new Set(['POST /v1/policy/evaluate', 'POST /v1/policy/suggest', 'POST /v1/policy/replay']);

describe('two tenants of one server', () => {
  let orchestrator: TestOrchestrator;
  let routes: readonly DeclaredRoute[];
  let acme: TenantHoldings;
  let globex: TenantHoldings;
  let database: pg.Client;

  beforeAll(async () => {
    orchestrator = await TestOrchestrator.start();
    routes = declaredRoutes(orchestrator.app).filter(({ needsNoKey }) => !needsNoKey);
    acme = await tenantHoldings(orchestrator, 'acme');
    globex = await tenantHoldings(orchestrator, 'globex');
    database = new pg.Client({ connectionString: orchestrator.database.url });
    await database.connect();
    for (const tenant of [acme, globex]) {
      await untilListed(tenant, '/v1/approvals', tenant.approval);
      await untilListed(tenant, '/v1/questions', tenant.question);
    }
  });
  afterAll(async () => {
    await database.end();
    await orchestrator.stop();
  });

  const idsOf = ({ session, fork, approval, question }: TenantHoldings): readonly string[] => [
    session,
    fork,
    approval,
    question,
  ];
  const countEvents = async (): Promise<number> =>
    Number((await database.query<{ n: string }>('select count(*) as n from event')).rows[0]?.n);
  const getAs = ({ key }: TenantHoldings, path: string): Promise<Answer> =>
    orchestrator.send('GET', path, { key, isEnough: (text) => text.includes('event: level') });

  async function untilListed(tenant: TenantHoldings, path: string, id: string): Promise<void> {
    while (!(await getAs(tenant, path)).text.includes(id))
      await new Promise((resolve) => setTimeout(resolve, 20));
  }

  /** Every request to a route that says something by an id of `whose`, with each of its ids in the place of one. */
  function requestsAbout(
    route: DeclaredRoute,
    whose: TenantHoldings,
  ): readonly { path: string; json?: object }[] {
    const hasId = route.path.includes(':');
    if (!hasId && !speaksById.has(route.name)) return [];
    const path = route.path.replace(':version', String(whose.pictureVersion));
    const paths = hasId ? idsOf(whose).map((id) => path.replaceAll(/:\w+/g, id)) : [path];
    if (route.method === 'GET') return paths.map((path) => ({ path }));
    const sent = bodies[route.name]?.(whose) ?? [{}];
    return paths.flatMap((path) => sent.map((json) => ({ path, json })));
  }

  const ask = (route: DeclaredRoute, whose: TenantHoldings, key: string): Promise<readonly Answer[]> =>
    Promise.all(
      requestsAbout(route, whose).map(({ path, json }) =>
        orchestrator.send(route.method, path, {
          key,
          ...(json === undefined ? {} : { json }),
          isEnough: (text) => text.includes('event: level'),
        }),
      ),
    );

  it('[SEC-1] are told by every route that nothing of the other exists, and leave no event by asking', async () => {
    const before = await countEvents();
    let asked = 0;
    for (const route of routes) {
      const answers = await ask(route, acme, globex.key);
      asked += answers.length;
      for (const { status, text } of answers) {
        expect([route.name, status, text]).toEqual([route.name, 404, expect.any(String)]);
        for (const id of [acme.session, acme.fork]) expect(text).not.toContain(id);
      }
    }
    expect(asked).toBeGreaterThan(60);
    expect(await countEvents()).toBe(before);
  });

  it('[SEC-1] see none of the ids of the other in any list, count or stream', async () => {
    const lists = routes.filter(
      ({ method, path, isWholeServer }) => method === 'GET' && !path.includes(':') && !isWholeServer,
    );
    expect(lists.length).toBeGreaterThan(5);
    for (const { name, path } of lists) {
      const { status, text } = await getAs(globex, path);
      expect([name, status]).toEqual([name, 200]);
      for (const id of idsOf(acme)) expect([name, text.includes(id)]).toEqual([name, false]);
    }
    const counts = await Promise.all(
      ['/v1/agents', '/v1/sessions', '/v1/approvals', '/v1/questions'].map(async (path) => {
        const { items } = JSON.parse((await getAs(globex, path)).text) as {
          readonly items: readonly object[];
        };
        return items.length;
      }),
    );
    expect(counts).toEqual([2, 1, 1, 1]);
  });

  it.each([
    ['/v1/agents?session=', 'session'],
    ['/v1/sessions?session=', 'session'],
    ['/v1/agents?limit=1&after=', 'fork'],
    ['/v1/approvals?limit=1&after=', 'approval'],
    ['/v1/questions?limit=1&after=', 'question'],
  ] as const)('[SEC-1] get by %s with an id of the other nothing of it', async (path, what) => {
    const { status, text } = await getAs(globex, `${path}${acme[what]}`);
    expect(status).toBe(200);
    for (const id of idsOf(acme)) expect(text).not.toContain(id);
  });

  it('[SEC-1] [S14] follow a stream of their own events, from the beginning or after a cursor of the other, whatever they filter by', async () => {
    const { records } = JSON.parse((await getAs(acme, `/v1/agents/${acme.session}/transcript`)).text) as {
      readonly records: readonly { readonly cursor: string }[];
    };
    const after = `after=${records[0]?.cursor ?? ''}`;
    const filters = ['', `&agent=${acme.fork},${globex.fork}`, `&session=${acme.session},${globex.session}`];
    for (const filter of filters) {
      const { text } = await orchestrator.send('GET', `/v1/events?${after}${filter}`, {
        key: globex.key,
        isEnough: (seen) => seen.includes(globex.question),
      });
      expect(text).toContain(`"subject":"${globex.fork}"`);
      for (const id of idsOf(acme)) expect([filter, text.includes(id)]).toEqual([filter, false]);
      const { text: lines } = await orchestrator.send('GET', `/v1/events?${after}&agent=${acme.fork}`, {
        key: acme.key,
        isEnough: (seen) => seen.includes(acme.question),
      });
      expect(lines).toContain(acme.approval);
    }
  });

  it('[SEC-1] [LOG-1] may use the same Idempotency-Key without meeting the outcome of the other', async () => {
    const json = { projectRoot: tmpdir(), model: 'scripted:none', systemInstruction: 'Help.' };
    const headers = { 'idempotency-key': 'the-same-key' };
    const answers = await Promise.all(
      [acme, globex, acme].map(({ key }) =>
        orchestrator.send('POST', '/v1/sessions', { key, json, headers }),
      ),
    );
    const [first, other, again] = answers.map(({ text }) => (JSON.parse(text) as { readonly id: string }).id);
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 201]);
    expect(again).toBe(first);
    expect(other).not.toBe(first);
    expect((await getAs(globex, `/v1/agents/${first ?? ''}`)).status).toBe(404);
  });

  it('[SEC-1] get into the dashboard with a link of their own key, as that tenant and no more', async () => {
    const { text } = await orchestrator.send('POST', '/v1/login-links', { key: globex.key, json: {} });
    const { path } = JSON.parse(text) as { readonly path: string };
    const { cookie } = await orchestrator.send('GET', path);
    const seen = async (wanted: string) =>
      (await orchestrator.send('GET', wanted, { headers: { cookie } })).status;
    expect(await seen(`/v1/agents/${globex.fork}`)).toBe(200);
    expect(await seen(`/v1/agents/${acme.fork}`)).toBe(404);
    expect(await seen('/v1/feed')).toBe(403);
    await orchestrator.revoke(globex.keyId);
    expect(await seen(`/v1/agents/${globex.fork}`)).toBe(401);
  });

  // Last: these requests act.
  it('[SEC-1] are recorded by their keys, and the same requests do find what they are about under the right one', async () => {
    const isLast = ({ name }: DeclaredRoute): number => Number(/close|cancel/.test(name));
    for (const route of [...routes].sort((one, other) => isLast(one) - isLast(other))) {
      const answers = await ask(route, acme, acme.key);
      if (answers.length === 0) continue;
      const found = answers.filter(({ status }) => status !== 404).map(({ status }) => status);
      expect([route.name, found.length > 0, found.includes(422)]).toEqual([route.name, true, false]);
    }
    const { rows } = await database.query<{ actor: string; tenant: string }>(
      `select distinct actor, tenant from event where actor like 'key:%' order by tenant, actor`,
    );
    expect(rows).toEqual([
      { actor: `key:${acme.keyId}`, tenant: 'acme' },
      { actor: `key:${globex.keyId}`, tenant: 'globex' },
    ]);
    const types = await database.query<{ type: string }>(
      `select distinct type from event where actor = $1 and stream = any($2) order by type`,
      [`key:${acme.keyId}`, [acme.session, acme.fork]],
    );
    const recorded = types.rows.map(({ type }) => type);
    expect(recorded).toEqual(
      expect.arrayContaining([
        'AgentLaunched',
        'ApprovalResolved',
        'MessageQueued',
        'QuestionAnswered',
        'RuntimeChanged',
        'SessionOpened',
      ]),
    );
  });
});
