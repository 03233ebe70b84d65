import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { tmpdir } from 'node:os';
import { openSession } from '../support/e2e/agents.js';
import { codeOf, rawRequest, type RawRequest } from '../support/e2e/raw-request.js';
import { startSystem, type TestSystem } from '../support/e2e/start-system.js';

jest.setTimeout(120_000);

const absentId = '01890000-0000-7000-8000-000000000000';
const call = { description: 'a fork', prompt: 'Look.', subagent_type: 'fork' };
const session = { projectRoot: tmpdir(), model: 'scripted:edge', systemInstruction: 'Test.' };

interface Route {
  readonly method: string;
  /** With `:id` where an id stands. */
  readonly path: string;
  /** A body that is accepted where one is needed. */
  readonly json?: object;
}

/** Every route that must not answer without a key. */
const routes: readonly Route[] = [
  { method: 'POST', path: '/v1/sessions', json: session },
  { method: 'GET', path: '/v1/sessions' },
  { method: 'GET', path: '/v1/sessions/:id' },
  { method: 'PATCH', path: '/v1/sessions/:id/runtime', json: { approvalMode: 'yolo' } },
  { method: 'POST', path: '/v1/sessions/:id/messages', json: { text: 'hello' } },
  { method: 'POST', path: '/v1/sessions/:id/close', json: {} },
  { method: 'POST', path: '/v1/sessions/:id/agents', json: call },
  { method: 'GET', path: '/v1/agents' },
  { method: 'GET', path: '/v1/agents/:id' },
  { method: 'GET', path: '/v1/agents/:id/transcript' },
  { method: 'GET', path: '/v1/agents/:id/events' },
  { method: 'POST', path: '/v1/agents/:id/messages', json: { text: 'hello' } },
  { method: 'POST', path: '/v1/agents/:id/cancel', json: {} },
  { method: 'POST', path: '/v1/agents/:id/revive', json: {} },
  { method: 'GET', path: '/v1/approvals' },
  { method: 'POST', path: '/v1/approvals/:id', json: { decision: 'allow' } },
  { method: 'GET', path: '/v1/events' },
  { method: 'GET', path: '/v1/workers' },
  { method: 'POST', path: '/v1/policy/evaluate', json: { surface: { builtin: [], mcp: [] }, calls: [] } },
];
const withId = routes.filter(({ path }) => path.includes(':id'));
const withBody = routes.filter(({ json }) => json !== undefined);

describe('the edge of the API', () => {
  let system: TestSystem;
  let sessionId: string;

  beforeAll(async () => {
    system = await startSystem({ workers: 1 });
    sessionId = await openSession(system.api, { projectRoot: tmpdir(), model: 'scripted:edge' });
  });
  afterEach(async () => {
    // Whatever was sent, the process that got it goes on.
    expect((await rawRequest(system, '/healthz', { withKey: false })).status).toBe(200);
  });
  afterAll(() => system.stop());

  const send = ({ method, path, json }: Route, id: string, more: RawRequest = {}) =>
    rawRequest(system, path.replace(':id', id), {
      method,
      ...(json === undefined || more.text !== undefined ? {} : { json }),
      ...more,
    });

  it.each(routes)('[SEC-1] $method $path answers 401 without a key, and with a wrong one', async (route) => {
    const without = await send(route, sessionId, { withKey: false });
    const headers = { authorization: `Bearer ${system.key}x` };
    const wrong = await send(route, sessionId, { headers });
    expect([without.status, codeOf(without)]).toEqual([401, 'UNAUTHENTICATED']);
    expect([wrong.status, codeOf(wrong)]).toEqual([401, 'UNAUTHENTICATED']);
    expect(without.headers['content-type']).toContain('application/problem+json');
  });

  it('[SEC-1] health and readiness need no key and say nothing else', async () => {
    const [alive, ready] = await Promise.all(
      ['/healthz', '/readyz'].map((path) => rawRequest(system, path, { withKey: false })),
    );
    expect([alive?.status, alive?.body]).toEqual([200, { status: 'ok' }]);
    expect([ready?.status, ready?.body]).toEqual([200, { status: 'ready' }]);
  });

  it.each([
    ['a foreign Host', { host: 'evil.example' }],
    ['a foreign Host with our port', { host: 'localhost.evil.example:4400' }],
    ['a foreign Origin', { origin: 'https://evil.example' }],
    ['the Origin of no page', { origin: 'null' }],
    ['the Origin of another port', { origin: 'http://127.0.0.1:1' }],
  ])('[SEC-1] %s is answered 403, with a key too', async (_name, headers) => {
    const answers = await Promise.all(
      ['/v1/agents', '/', '/healthz', '/login?token=x'].map((path) => rawRequest(system, path, { headers })),
    );
    expect(answers.map(({ status }) => status)).toEqual([403, 403, 403, 403]);
  });

  it.each(withBody)('$method $path answers 400 to what is not JSON', async (route) => {
    for (const text of ['{', 'text', '', '{"a":1}}', '\u0000']) {
      const answer = await send(route, sessionId, { text });
      expect([text, answer.status, codeOf(answer)]).toEqual([text, 400, 'BODY_NOT_JSON']);
    }
  });

  it.each(withBody)('$method $path answers 422 to JSON that is no object', async (route) => {
    for (const text of ['[]', 'null', '"text"', '1']) {
      const answer = await send(route, sessionId, { text });
      expect([text, answer.status]).toEqual([text, 422]);
    }
  });

  it.each(withBody)(
    '[E11] $method $path answers 422 to nesting of any depth, under a key as well',
    async (route) => {
      for (const depth of [1_500, 6_000, 100_000]) {
        const text = `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`;
        const plain = await send(route, sessionId, { text });
        const keyed = await send(route, sessionId, { text, headers: { 'idempotency-key': `deep-${depth}` } });
        expect([depth, plain.status, keyed.status]).toEqual([depth, 422, 422]);
      }
    },
  );

  it.each(withBody)(
    '$method $path answers 422 to a key that it does not know, __proto__ included',
    async (route) => {
      const members = JSON.stringify(route.json).slice(1, -1);
      for (const key of ['__proto__', 'constructor', 'surprise']) {
        const text = `{${members}${members === '' ? '' : ','}"${key}":{"decision":"allow"}}`;
        const answer = await send(route, sessionId, { text });
        expect([key, answer.status]).toEqual([key, 422]);
        expect(JSON.stringify(answer.body)).toContain(key);
      }
    },
  );

  it.each(withId)('[Q04] $method $path answers 404 to ids that are none of ours', async (route) => {
    const ids = ['123', 'a:b', 'a:b:c', '', '🦊', 'x'.repeat(300), '%00', 'null', '-1', absentId];
    const answers = await Promise.all(
      ids.map((id) => send(route, id === '%00' ? id : encodeURIComponent(id))),
    );
    const told = answers.map(({ status }, index) => [ids[index], status]);
    expect(told).toEqual(ids.map((id) => [id, 404]));
  });

  it('[Q04] a path that is no well-formed text is none of ours, with a problem that says so', async () => {
    for (const path of ['/v1/agents/%zz', '/v1/agents/%ff', '/v1/agents/%', '/v1/approvals/%c3%28'])
      expect([path, codeOf(await rawRequest(system, path))]).toEqual([path, 'NOT_FOUND']);
  });

  it('what is said by the path alone needs no body', async () => {
    const revived = await rawRequest(system, `/v1/agents/${sessionId}/revive`, { method: 'POST' });
    expect([revived.status, revived.body]).toEqual([202, { id: sessionId, status: 'idle' }]);
  });

  it('an Idempotency-Key that is no visible text is refused', async () => {
    const headers = { 'idempotency-key': 'a b' };
    const answer = await send({ method: 'POST', path: '/v1/sessions', json: session }, '', { headers });
    expect([answer.status, codeOf(answer)]).toEqual([422, 'IDEMPOTENCY_KEY_INVALID']);
  });

  it.each([
    '/v1/agents?limit=0',
    '/v1/agents?limit=x',
    '/v1/agents?status=happy',
    '/v1/agents?session=1',
    '/v1/agents?after=1',
    '/v1/agents?surprise=1',
    '/v1/events?after=none-of-ours',
    '/v1/events?agent=1',
    '/v1/approvals?status=lost',
  ])('[S01] %s answers 422', async (path) => {
    expect((await rawRequest(system, path)).status).toBe(422);
  });

  it('a route that does not exist is a 404 problem, and one that does not exist for a method a 405 one', async () => {
    for (const [method, path] of [
      ['GET', '/v2/agents'],
      ['GET', '/assets/../../../../etc/passwd'],
      ['GET', '/assets/..%2f..%2fapp.module.js'],
    ] as const) {
      const answer = await rawRequest(system, path, { method });
      expect([path, answer.status, codeOf(answer)]).toEqual([path, 404, 'NOT_FOUND']);
    }
    for (const [method, path] of [
      ['DELETE', '/v1/agents'],
      ['PUT', `/v1/agents/${sessionId}`],
    ] as const) {
      const answer = await rawRequest(system, path, { method });
      expect([path, answer.status, codeOf(answer)]).toEqual([path, 405, 'METHOD_NOT_ALLOWED']);
      expect(answer.headers['allow']).toBe('GET, HEAD');
    }
  });
});
