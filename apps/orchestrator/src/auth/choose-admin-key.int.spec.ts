import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadConfig } from '#platform';
import { ServerConfig } from '../log/server-config.js';
import { chooseAdminKey } from './choose-admin-key.js';

const given = 'osk_0123456789abcdef';
const keys = (count: number) => ({
  live: () =>
    Promise.resolve(
      Array.from({ length: count }, () => ({ id: '', tenant: '', scopes: ['observe'], digest: '' })),
    ),
});

describe('the admin key of an orchestrator', () => {
  let dataDir: string;
  beforeEach(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'offshoot-choose-'));
  });
  afterEach(() => rm(dataDir, { recursive: true }));

  const server = (env: Readonly<Record<string, string>>): ServerConfig =>
    new ServerConfig(
      loadConfig({ DATABASE_URL: 'postgres://localhost/none', OFFSHOOT_DATA_DIR: dataDir, ...env }),
    );

  it('is made on loopback, and is the given one everywhere', async () => {
    expect(await chooseAdminKey(server({}), keys(0))).toMatch(/^osk_/);
    for (const HOST of ['127.0.0.1', '0.0.0.0'])
      expect(await chooseAdminKey(server({ HOST, OFFSHOOT_API_KEY: given }), keys(0))).toBe(given);
  });

  it.each(['0.0.0.0', '::', '192.0.2.1', 'offshoot.example'])(
    '[SEC-1] does not exist on %s unless it was set, nor does a start without any key that somebody made',
    async (HOST) => {
      await expect(chooseAdminKey(server({ HOST }), keys(0))).rejects.toThrow(
        /offshoot keys create.*OFFSHOOT_API_KEY.*127\.0\.0\.1/,
      );
      // Not even when a start on loopback made one before.
      await chooseAdminKey(server({}), keys(0));
      await expect(chooseAdminKey(server({ HOST }), keys(0))).rejects.toThrow(HOST);
      expect(await chooseAdminKey(server({ HOST }), keys(1))).toBeNull();
      await rm(join(dataDir, 'admin.key'));
      expect(await chooseAdminKey(server({ HOST }), keys(1))).toBeNull();
      expect(await readdir(dataDir)).toEqual([]);
    },
  );
});
