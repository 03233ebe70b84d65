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
      useFactory: async (server: ServerConfig) => {
        const { config } = server;
        if (!server.isLoopback && config.apiKey === undefined) {
          throw new Error(
            `HOST=${config.http.host} is reached from other machines: set OFFSHOOT_API_KEY to a key of your own making, or HOST to 127.0.0.1.`,
          );
        }
        const { key } = await readOrMakeAdminKey(config.dataDir, config.apiKey);
        return new KeyRing(key, () => new Date());
      },
      inject: [ServerConfig],
    },
    { provide: APP_GUARD, useClass: AuthGuard },
  ],
  exports: [KeyRing],
})
export class AuthModule {}
