import { Controller, Get, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { NoKey } from '../auth/require-scope.js';
import { Readiness } from './readiness.js';

/** Liveness and readiness. They need no key and say nothing else (spec 05 §7). */
@Controller()
export class HealthController {
  constructor(private readonly readiness: Readiness) {}

  @Get('healthz')
  @NoKey()
  alive() {
    return { status: 'ok' };
  }

  @Get('readyz')
  @NoKey()
  async ready(@Res({ passthrough: true }) reply: FastifyReply) {
    const isReady = await this.readiness.check();
    reply.status(isReady ? 200 : 503);
    return { status: isReady ? 'ready' : 'not ready' };
  }
}
