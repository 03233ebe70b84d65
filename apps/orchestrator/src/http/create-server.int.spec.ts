import { afterEach, beforeEach, expect, it, jest } from '@jest/globals';
import { Controller, Get, Module } from '@nestjs/common';
import { APP_FILTER } from '@nestjs/core';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { KeyCheck } from '../auth/key-check.js';
import { NoKey } from '../auth/require-scope.js';
import { ServerConfig } from '../log/server-config.js';
import { createServer } from './create-server.js';
import { ProblemDetailsFilter } from './problem-details.filter.js';
import { RequestsUnderWay } from './requests-under-way.js';

@Controller('broken')
class BrokenController {
  @Get()
  @NoKey()
  answer(): never {
    throw new Error('a fault of the handler');
  }
}

@Module({
  controllers: [BrokenController],
  providers: [
    RequestsUnderWay,
    { provide: KeyCheck, useValue: new KeyCheck({ identify: () => Promise.resolve(null) }) },
    { provide: ServerConfig, useValue: { isLoopback: true } },
    { provide: APP_FILTER, useClass: ProblemDetailsFilter },
  ],
})
class BrokenModule {}

let app: NestFastifyApplication;
let written: string;
beforeEach(async () => {
  written = '';
  jest.spyOn(process.stderr, 'write').mockImplementation((text) => {
    written += String(text);
    return true;
  });
  app = await createServer(BrokenModule);
  await app.listen(0, '127.0.0.1');
});
afterEach(async () => {
  jest.restoreAllMocks();
  await app.close();
});

it('a fault of a handler is logged whole, and told as nothing', async () => {
  const response = await fetch(`${await app.getUrl()}/broken`);
  const text = await response.text();
  expect(response.status).toBe(500);
  expect(text).toContain('INTERNAL');
  expect(text).not.toContain('a fault of the handler');
  expect(written).toContain('a fault of the handler');
  expect(written).toContain('create-server.int.spec');
});

it('waits five minutes at most for a request to come whole, so that one that is sent byte by byte holds no connection for ever', () => {
  const server = app.getHttpServer() as { readonly requestTimeout: number };
  expect(server.requestTimeout).toBe(300_000);
});
