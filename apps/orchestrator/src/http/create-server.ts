import { ConsoleLogger, type Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { newId } from '#platform';
import { ServerConfig } from '../log/server-config.js';
import { KeyCheck } from '../auth/key-check.js';
import { problemAtTheDoor } from './front-door.js';
import { KnownPaths, noSuchPath } from './known-paths.js';
import { RequestsUnderWay } from './requests-under-way.js';

/** Histories are posted whole; anything larger belongs into several messages. */
const bodyLimit = 32 * 1024 * 1024;
/** In which a request must have come whole; its answer may take as long as it likes, an event stream for ever. Fastify would wait for ever. */
const requestTimeoutMs = 300_000;

/** Makes the HTTP application, not yet listening. */
export async function createServer(module: Type): Promise<NestFastifyApplication> {
  const adapter = new FastifyAdapter({
    bodyLimit,
    requestTimeout: requestTimeoutMs,
    // An id of any length is one that does not exist, told with a problem of ours.
    routerOptions: { maxParamLength: 16_384 },
    // A `__proto__` key is for our own checks to judge, with a problem of ours as the answer (N07).
    onProtoPoisoning: 'ignore',
    onConstructorPoisoning: 'ignore',
    // Open event streams would keep `close()` waiting for ever.
    forceCloseConnections: true,
    genReqId: () => newId(),
    // A path that cannot be decoded comes to no hook and no filter.
    frameworkErrors: (_fault: unknown, _request: FastifyRequest, reply: FastifyReply) => {
      void reply.status(noSuchPath.status).type('application/problem+json').send(noSuchPath);
    },
  });
  const app = await NestFactory.create<NestFastifyApplication>(module, adapter, {
    // A start that fails throws to the caller, who tells it; Nest would log a stack and exit.
    abortOnError: false,
    logger: false,
  });
  // Levels alone would bring back no logger after `logger: false`: every fault of a handler would go unheard.
  app.useLogger(new ConsoleLogger({ logLevels: ['error', 'warn', 'fatal'], colors: process.stderr.isTTY }));
  const fastify = adapter.getInstance();
  const paths = new KnownPaths();
  fastify.addHook('onRoute', (route) => paths.add(route));
  const door = {
    underWay: app.get(RequestsUnderWay),
    isLoopback: app.get(ServerConfig).isLoopback,
    paths,
    keys: app.get(KeyCheck),
  };
  fastify.addHook('onRequest', async (request, reply) => {
    const problem = await problemAtTheDoor(door, request, reply);
    // An answer from a hook ends the request: its body is thrown away unread, and no handler runs.
    if (problem !== null) await reply.status(problem.status).type('application/problem+json').send(problem);
  });
  return app;
}
