import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findServer, type ServerTraits } from './find-server.js';
import { ServerNotFoundError } from './server-not-found-error.js';

let dataDir: string;
let server: Server;
let address: string;

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'offshoot-find-'));
  server = createServer((request, response) =>
    response.end(JSON.stringify({ key: request.headers.authorization })),
  );
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterEach(async () => {
  await new Promise((resolve) => server.close(resolve));
  await rm(dataDir, { recursive: true });
});

async function runsHere(pid = process.pid): Promise<void> {
  await writeFile(join(dataDir, 'supervisor.json'), JSON.stringify({ pid, startedAt: '', address }));
  await writeFile(join(dataDir, 'admin.key'), 'osk_local\n');
}

async function keySent(traits: Omit<ServerTraits, 'dataDir'>): Promise<string> {
  const api = await findServer({ dataDir, ...traits });
  return (await api.get<{ key: string }>('/')).key;
}

describe('the server that a command talks to', () => {
  it('is the one that runs over the data directory, under its own key', async () => {
    await runsHere();
    expect(await keySent({})).toBe('Bearer osk_local');
    expect(await keySent({ apiKey: 'osk_given' })).toBe('Bearer osk_given');
  });

  it('is the given one under the given key', async () => {
    expect(await keySent({ url: `${address}/`, apiKey: 'osk_given' })).toBe('Bearer osk_given');
  });

  it('[SEC-1] never gets the key of a data directory that another server runs over', async () => {
    await runsHere();
    expect(await keySent({ url: `${address}/` })).toBe('Bearer osk_local');
    for (const url of ['http://127.0.0.1:1', 'https://elsewhere.example', 'not an address'])
      await expect(findServer({ dataDir, url })).rejects.toThrow(ServerNotFoundError);
  });

  it('is not found where nothing runs, or what ran is gone', async () => {
    await expect(findServer({ dataDir })).rejects.toThrow(/offshoot up/);
    await runsHere(2 ** 22 + 1);
    await expect(findServer({ dataDir })).rejects.toThrow(ServerNotFoundError);
    await writeFile(join(dataDir, 'supervisor.json'), '{');
    await expect(findServer({ dataDir })).rejects.toThrow(ServerNotFoundError);
  });
});
