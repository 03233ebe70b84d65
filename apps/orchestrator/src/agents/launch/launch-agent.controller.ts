import { Body, Controller, HttpCode, Param, Post, Res } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import type { FastifyReply } from 'fastify';
import { Origin, RequireScope } from '../../auth/require-scope.js';
import { parseObject } from '../../http/parse-request.js';
import type { RequestOrigin } from '../../http/request-origin.js';
import { LaunchAgentCommand } from './launch-agent.command.js';

/** `POST /v1/sessions/:id/agents`: the Agent call (spec 02 §1). Answered after its events are committed (LOG-1). */
@Controller('v1/sessions')
export class LaunchAgentController {
  constructor(private readonly commands: CommandBus) {}

  @Post(':id/agents')
  @HttpCode(202)
  @RequireScope('launch')
  async launch(
    @Param('id') sessionId: string,
    @Body() body: unknown,
    @Origin() origin: RequestOrigin,
    @Res({ passthrough: true }) reply: FastifyReply,
  ) {
    const { id } = await this.commands.execute(new LaunchAgentCommand(sessionId, parseObject(body), origin));
    reply.header('location', `/v1/agents/${id}`);
    return { id, status: 'queued' };
  }
}
