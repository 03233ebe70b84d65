import { addressOf } from './http/address-of.js';
import { createServer } from './http/create-server.js';
import { AppModule } from './app.module.js';
import { KeyRing } from './auth/key-ring.js';
import { ServerConfig } from './log/server-config.js';
import { checkListenAddress, endWithSupervisor, listenRefusal, loadConfig, startOrRefuse } from '#platform';

await startOrRefuse(async () => {
  const { config } = new ServerConfig(loadConfig());
  await checkListenAddress(config.http);
  const app = await createServer(AppModule);
  await app.listen(config.http.port, config.http.host).catch((error: unknown) => {
    throw listenRefusal(error, config.http) ?? error;
  });
  endWithSupervisor(() => app.close());

  const address = addressOf(app.getHttpServer().address(), config.http.host);
  const token = app.get(KeyRing).makeStartToken();
  const link = token === null ? {} : { dashboardUrl: `${address}/login?token=${token}` };
  process.send?.({ type: 'listening', address, ...link });
});
