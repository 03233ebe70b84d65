import { randomBytes } from 'node:crypto';
import { Global, Module } from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import { readOrMakeAdminKey } from '#platform';
import { ServerConfig } from '../log/server-config.js';
import { AuthGuard } from './auth.guard.js';
import { KeyRing } from './key-ring.js';

/** Keys, and the guard in front of every handler. */
@Global()
@Module({
  providers: [
    {
      provide: KeyRing,
      useFactory: async ({ config }: ServerConfig) => {
        const { key } = await readOrMakeAdminKey(config.dataDir, config.apiKey);
        return new KeyRing(key, randomBytes(24).toString('base64url'), () => new Date());
      },
      inject: [ServerConfig],
    },
    { provide: APP_GUARD, useClass: AuthGuard },
  ],
  exports: [KeyRing],
})
export class AuthModule {}
