import { ConsoleLogger, type Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { newId } from '#platform';
import { ServerConfig } from '../log/server-config.js';
import { contentTypeProblem } from './content-type-problem.js';
import { originProblem } from './origin-problem.js';
import { EdgeCode, problemOf } from './problem.js';
import { RequestsUnderWay } from './requests-under-way.js';

/** Histories are posted whole; anything larger belongs into several messages. */
const bodyLimit = 32 * 1024 * 1024;

/** Makes the HTTP application, not yet listening. */
export async function createServer(module: Type): Promise<NestFastifyApplication> {
  const adapter = new FastifyAdapter({
    bodyLimit,
    // An id of any length is one that does not exist, told with a problem of ours.
    routerOptions: { maxParamLength: 16_384 },
    // A `__proto__` key is for our own checks to judge, with a problem of ours as the answer (N07).
    onProtoPoisoning: 'ignore',
    onConstructorPoisoning: 'ignore',
    // Open event streams would keep `close()` waiting for ever.
    forceCloseConnections: true,
    genReqId: () => newId(),
  });
  const app = await NestFactory.create<NestFastifyApplication>(module, adapter, {
    // A start that fails throws to the caller, who tells it; Nest would log a stack and exit.
    abortOnError: false,
    logger: false,
  });
  // Levels alone would bring back no logger after `logger: false`: every fault of a handler would go unheard.
  app.useLogger(new ConsoleLogger({ logLevels: ['error', 'warn', 'fatal'], colors: process.stderr.isTTY }));
  const { isLoopback } = app.get(ServerConfig);
  const fastify = adapter.getInstance();
  const underWay = app.get(RequestsUnderWay);
  fastify.addHook('onRequest', async (request, reply) => {
    const problem = underWay.begin(reply.raw)
      ? (originProblem(request, isLoopback) ?? contentTypeProblem(request))
      : ending;
    // An answer from a hook ends the request: no handler runs.
    if (problem !== null) await reply.status(problem.status).type('application/problem+json').send(problem);
  });
  return app;
}

const ending = problemOf(EdgeCode.UNAVAILABLE, 'This server is ending; ask again.');
