import { Body, Controller, HttpCode, Param, Post, Res } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import type { FastifyReply } from 'fastify';
import { Origin, RequireScope } from '../../auth/require-scope.js';
import { parseRequest } from '../../http/parse-request.js';
import type { RequestOrigin } from '../../http/request-origin.js';
import { ForkAgentCommand, ForkAgentRequest } from './fork-agent.command.js';

/** `POST /v1/agents/:id/fork`: a fork from any point of any transcript. Answered after its events are committed (LOG-1). */
@Controller('v1/agents')
export class ForkAgentController {
  constructor(private readonly commands: CommandBus) {}

  @Post(':id/fork')
  @HttpCode(202)
  @RequireScope('launch')
  async fork(
    @Param('id') agentId: string,
    @Body() body: unknown,
    @Origin() origin: RequestOrigin,
    @Res({ passthrough: true }) reply: FastifyReply,
  ) {
    const request = parseRequest(ForkAgentRequest, body);
    const { id } = await this.commands.execute(new ForkAgentCommand(agentId, request, origin));
    reply.header('location', `/v1/agents/${id}`);
    return { id, status: 'queued' };
  }
}
