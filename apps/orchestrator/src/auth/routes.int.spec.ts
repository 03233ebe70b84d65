import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { keyScopes, newApiKey } from '#platform';
import { type DeclaredRoute, declaredRoutes } from '../testing/declared-routes.js';
import { type Answer, TestOrchestrator } from '../testing/test-orchestrator.js';

const absentId = '01890000-0000-7000-8000-000000000000';
/** What answers without a key, and says nothing that one would be needed for. */
const open = ['GET /', 'GET /assets/:name', 'GET /healthz', 'GET /login', 'GET /readyz'];

describe('every route', () => {
  let orchestrator: TestOrchestrator;
  let routes: readonly DeclaredRoute[];

  beforeAll(async () => {
    orchestrator = await TestOrchestrator.start();
    routes = declaredRoutes(orchestrator.app);
  });
  afterAll(() => orchestrator.stop());

  const send = ({ method, path }: DeclaredRoute, key?: string): Promise<Answer> =>
    orchestrator.send(method, path.replaceAll(/:\w+/g, absentId), {
      ...(key === undefined ? {} : { key }),
      ...(method === 'GET' ? {} : { json: {} }),
      isEnough: (text) => text.includes('event: level'),
    });
  const problemOf = ({ text }: Answer): Record<string, unknown> =>
    JSON.parse(text) as Record<string, unknown>;
  const withKey = (): readonly DeclaredRoute[] => routes.filter(({ needsNoKey }) => !needsNoKey);

  it('[SEC-1] that the router has is one that a controller declares, with a scope or as one that needs no key', () => {
    const routed = orchestrator.routed.filter((name) => !name.startsWith('HEAD '));
    expect([...new Set(routed)].sort()).toEqual(routes.map(({ name }) => name).sort());
    expect(withKey().filter(({ scope }) => scope === undefined)).toEqual([]);
    expect(routes.filter(({ needsNoKey, scope }) => needsNoKey && scope !== undefined)).toEqual([]);
    expect(routes.length).toBeGreaterThan(25);
  });

  it('[SEC-1] that needs no key is one of a short list', () => {
    const names = routes.filter(({ needsNoKey }) => needsNoKey).map(({ name }) => name);
    expect(names.sort()).toEqual(open);
  });

  it('[SEC-1] answers 401 without a key, to a wrong one and to one that was revoked', async () => {
    const revoked = await orchestrator.keyOf('acme', 'admin');
    await orchestrator.revoke(revoked.id);
    for (const route of withKey())
      for (const key of [undefined, newApiKey(), revoked.key]) {
        const answer = await send(route, key);
        expect([route.name, answer.status, problemOf(answer)['code']]).toEqual([
          route.name,
          401,
          'UNAUTHENTICATED',
        ]);
        expect(answer.type).toContain('application/problem+json');
      }
  });

  it('[SEC-1] answers 403 to a key without its scope, and names it; a key with the scope gets past', async () => {
    const keys = new Map(
      await Promise.all(
        keyScopes.map(async (scope) => [scope, (await orchestrator.keyOf('default', scope)).key] as const),
      ),
    );
    for (const route of withKey())
      for (const [held, key] of keys) {
        const answer = await send(route, key);
        const isEnough = keyScopes.indexOf(held) >= keyScopes.indexOf(route.scope ?? 'admin');
        const expected = isEnough ? 'past' : 403;
        const got = answer.status === 403 || answer.status === 401 ? answer.status : 'past';
        expect([route.name, held, got]).toEqual([route.name, held, expected]);
        if (isEnough) continue;
        expect(problemOf(answer)).toMatchObject({ code: 'FORBIDDEN', offenders: [route.scope] });
        expect(problemOf(answer)['detail']).toContain(`"${String(route.scope)}"`);
      }
  });

  it('[SEC-1] that speaks of the whole server is closed to the admin of any other tenant', async () => {
    const { key } = await orchestrator.keyOf('acme', 'admin');
    const whole = routes.filter(({ isWholeServer }) => isWholeServer);
    expect(whole.map(({ name }) => name)).toContain('GET /v1/feed');
    for (const route of whole) {
      expect([route.name, (await send(route, key)).status]).toEqual([route.name, 403]);
      expect([route.name, (await send(route, orchestrator.adminKey)).status]).toEqual([route.name, 200]);
    }
  });

  it('[SEC-1] judges key and scope before a byte of the body has come', async () => {
    const { key } = await orchestrator.keyOf('acme', 'observe');
    const headers = { 'content-type': 'application/json', 'content-length': String(32 * 1024 * 1024) };
    const taking = withKey().filter(({ method, scope }) => method !== 'GET' && scope !== 'observe');
    expect(taking.length).toBeGreaterThan(10);
    for (const { name, method, path } of taking) {
      const at = path.replaceAll(/:\w+/g, absentId);
      const without = await orchestrator.send(method, at, { headers, keepsBody: true });
      const below = await orchestrator.send(method, at, { key, headers, keepsBody: true });
      expect([name, without.status, below.status]).toEqual([name, 401, 403]);
    }
  });

  it('refuses a query that it does not know, and names it', async () => {
    for (const route of withKey()) {
      const answer = await send({ ...route, path: `${route.path}?nobody=knows` }, orchestrator.adminKey);
      expect([route.name, answer.status]).toEqual([route.name, 422]);
      expect(problemOf(answer)).toMatchObject({ code: 'REQUEST_INVALID' });
      expect(problemOf(answer)['detail']).toContain('"nobody"');
    }
  });

  it('that says everything by its path refuses a body that says more', async () => {
    const silent = withKey().filter(({ path }) => /\/(cancel|revive|close|reopen|login-links)$/.test(path));
    expect(silent).toHaveLength(5);
    for (const { name, method, path } of silent) {
      const at = path.replaceAll(/:\w+/g, absentId);
      const answer = await orchestrator.send(method, at, { key: orchestrator.adminKey, json: { more: 1 } });
      expect([name, answer.status, problemOf(answer)['code']]).toEqual([name, 422, 'REQUEST_INVALID']);
    }
  });

  it('tells whoever comes by another method which ones its path takes, and a path that is not there is a 404', async () => {
    for (const { path } of routes) {
      const routed = orchestrator.routed.filter((name) => name.endsWith(` ${path}`));
      const taken = [...new Set(routed.map((name) => name.split(' ')[0]))];
      for (const method of ['DELETE', 'PUT', 'OPTIONS']) {
        const answer = await orchestrator.send(method, path.replaceAll(/:\w+/g, absentId));
        expect([path, method, answer.status]).toEqual([path, method, 405]);
        expect(problemOf(answer)['code']).toBe('METHOD_NOT_ALLOWED');
        expect(answer.headers.allow?.split(', ').sort()).toEqual(taken.sort());
      }
    }
    for (const path of ['/v1/agents/', '/v1/agents/a/b', '/v1', '/v2/agents', '/assets/a/b', '/v1/%zz'])
      for (const method of ['GET', 'DELETE']) {
        const answer = await orchestrator.send(method, path, { key: orchestrator.adminKey });
        expect([path, method, answer.status]).toEqual([path, method, 404]);
        expect(problemOf(answer)['code']).toBe('NOT_FOUND');
        expect(answer.headers.allow).toBeUndefined();
      }
  });
});
