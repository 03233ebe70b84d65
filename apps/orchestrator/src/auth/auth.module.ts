import { Global, Module } from '@nestjs/common';
import pg from 'pg';
import { KeyStore } from '#platform';
import { ProcessLogger } from '../log/process-handles.js';
import { ServerConfig } from '../log/server-config.js';
import { chooseAdminKey } from './choose-admin-key.js';
import { KeyCheck } from './key-check.js';
import { KeyKeeper } from './key-keeper.js';
import { KeyRing } from './key-ring.js';
import { LiveKeys } from './live-keys.js';

/** Keys, and the check in front of every handler. */
@Global()
@Module({
  providers: [
    { provide: KeyStore, useFactory: (pool: pg.Pool) => new KeyStore(pool), inject: [pg.Pool] },
    {
      provide: LiveKeys,
      useFactory: (store: KeyStore) =>
        new LiveKeys({ read: () => store.live(), nowMs: () => performance.now() }),
      inject: [KeyStore],
    },
    {
      provide: KeyRing,
      useFactory: async (server: ServerConfig, store: KeyStore, keys: LiveKeys) =>
        new KeyRing(await chooseAdminKey(server, store), keys, () => new Date()),
      inject: [ServerConfig, KeyStore, LiveKeys],
    },
    {
      provide: KeyKeeper,
      useFactory: (...[{ databaseUrl }, store, keys, ring, { logger }]: Injected) =>
        new KeyKeeper({ databaseUrl, store, keys, ring, logger }),
      inject: [ServerConfig, KeyStore, LiveKeys, KeyRing, ProcessLogger],
    },
    { provide: KeyCheck, useFactory: (ring: KeyRing) => new KeyCheck(ring), inject: [KeyRing] },
  ],
  exports: [KeyRing, KeyKeeper],
})
export class AuthModule {}

type Injected = readonly [ServerConfig, KeyStore, LiveKeys, KeyRing, ProcessLogger];
