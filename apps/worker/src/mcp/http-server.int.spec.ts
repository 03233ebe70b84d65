import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { until } from '../tools/testing/processes.js';
import { type HttpServer, startHttpServer } from './testing/http-server.js';
import { callOffered, type Harness, makePool, namesOf, sessionWith } from './testing/pool-harness.js';

jest.setTimeout(60_000);

let server: HttpServer;
let harness: Harness;
beforeEach(async () => {
  server = await startHttpServer();
  harness = makePool({ referenced: { TOKEN: 'very-secret-value' } });
});
afterEach(async () => {
  await harness.pool.close();
  await server.stop();
});

const session = () =>
  sessionWith({ web: { url: server.url, headers: { authorization: 'Bearer ${env:TOKEN}' } } });

describe('a server over HTTP', () => {
  it('gets its headers with references resolved', async () => {
    const offer = await harness.pool.resolve(session());
    expect((await callOffered(offer, 'mcp__web__echo')).text).toBe('called echo');
    expect(server.headers().authorization).toBe('Bearer very-secret-value');
  });

  it('[M11] that lost its sessions is initialised once more, and the call that met it is made', async () => {
    const offer = await harness.pool.resolve(session());
    server.forget();
    const calls = await Promise.all(Array.from({ length: 5 }, () => callOffered(offer, 'mcp__web__echo')));
    expect(calls.map(({ text }) => text)).toEqual(Array.from({ length: 5 }, () => 'called echo'));
    expect(server.initialised()).toBe(2);
  });

  it('[M11] that restarted between two runs is initialised once more by the second', async () => {
    await harness.pool.resolve(session());
    server.forget();
    const offers = await Promise.all([harness.pool.resolve(session()), harness.pool.resolve(session())]);
    expect(offers.map(namesOf)).toEqual([
      ['mcp__web__echo', 'mcp__web__stream'],
      ['mcp__web__echo', 'mcp__web__stream'],
    ]);
    expect(server.initialised()).toBe(2);
  });

  it('[M09] that goes away in a call answers it with an error long before its deadline', async () => {
    const offer = await harness.pool.resolve(session());
    const lost = callOffered(offer, 'mcp__web__stream');
    await until(() => Promise.resolve(server.headers()['content-length'] !== undefined));
    await new Promise((resolve) => setTimeout(resolve, 300));
    await server.stop();
    expect((await lost).text).toContain('whether it took effect is unknown');
    await server.restart();
    await until(async () => (await callOffered(offer, 'mcp__web__echo')).outcome === 'ok');
  });

  it('that is away is reported, and comes back without being asked for', async () => {
    await server.stop();
    expect((await harness.pool.resolve(session())).withheld[0]?.reason).toContain('ECONNREFUSED');
    await server.restart();
    await until(() => Promise.resolve(harness.pool.current(session()).tools.length === 2));
    expect(harness.pool.current(session()).withheld).toEqual([]);
  });
});
