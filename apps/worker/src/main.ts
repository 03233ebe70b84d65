import { NestFactory } from '@nestjs/core';
import { endWithSupervisor } from '#platform';
import { WorkerModule } from './worker.module.js';

const app = await NestFactory.createApplicationContext(WorkerModule, { logger: ['error', 'warn', 'fatal'] });
endWithSupervisor(() => app.close());
