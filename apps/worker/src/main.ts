import { NestFactory } from '@nestjs/core';
import { endWithSupervisor, startOrRefuse } from '#platform';
import { WorkerModule } from './worker.module.js';

await startOrRefuse(async () => {
  // A start that fails throws to us, who tell it; Nest would log a stack and exit.
  const app = await NestFactory.createApplicationContext(WorkerModule, {
    abortOnError: false,
    logger: false,
  });
  app.useLogger(['error', 'warn', 'fatal']);
  endWithSupervisor(() => app.close());
});
