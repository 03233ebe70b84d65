import { Body, Controller, Get, HttpCode, Param, Patch, Post, Query, Res } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import type { FastifyReply } from 'fastify';
import { GetAgentQuery } from '../agents/queries/get-agent.query.js';
import { ListAgentsQuery } from '../agents/queries/list-agents.query.js';
import { parseListRequest } from '../agents/queries/list-agents.request.js';
import type { Principal } from '../auth/principal.js';
import { From, Origin, RequireScope, TakesQuery } from '../auth/require-scope.js';
import { parseNothing, parseRequest } from '../http/parse-request.js';
import type { RequestOrigin } from '../http/request-origin.js';
import { CloseSessionCommand } from './close/close-session.command.js';
import { AppendMessagesCommand } from './messages/append-messages.command.js';
import { AppendMessagesRequest } from './messages/append-messages.request.js';
import { ChangeRuntimeCommand } from './open/change-runtime.command.js';
import { OpenSessionCommand } from './open/open-session.command.js';
import { ChangeRuntimeRequest, OpenSessionRequest } from './open/open-session.request.js';
import { ReopenSessionCommand } from './reopen/reopen-session.command.js';

/** `/v1/sessions`: body to command, result to answer. Nothing is decided here. */
@Controller('v1/sessions')
export class SessionsController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  @Post()
  @RequireScope('launch')
  async open(
    @Body() body: unknown,
    @Origin() origin: RequestOrigin,
    @Res({ passthrough: true }) reply: FastifyReply,
  ) {
    const { id } = await this.commands.execute(
      new OpenSessionCommand(parseRequest(OpenSessionRequest, body), origin),
    );
    reply.header('location', `/v1/sessions/${id}`);
    return this.queries.execute(new GetAgentQuery(id, origin.principal));
  }

  @Get()
  @RequireScope('observe')
  @TakesQuery()
  list(@Query() query: unknown, @From() from: Principal) {
    return this.queries.execute(new ListAgentsQuery({ ...parseListRequest(query), kind: 'session' }, from));
  }

  @Get(':id')
  @RequireScope('observe')
  get(@Param('id') id: string, @From() from: Principal) {
    return this.queries.execute(new GetAgentQuery(id, from));
  }

  @Patch(':id/runtime')
  @RequireScope('operate')
  async changeRuntime(@Param('id') id: string, @Body() body: unknown, @Origin() origin: RequestOrigin) {
    await this.commands.execute(
      new ChangeRuntimeCommand(id, parseRequest(ChangeRuntimeRequest, body), origin),
    );
    return this.queries.execute(new GetAgentQuery(id, origin.principal));
  }

  @Post(':id/messages')
  @HttpCode(202)
  @RequireScope('launch')
  append(@Param('id') id: string, @Body() body: unknown, @Origin() origin: RequestOrigin) {
    return this.commands.execute(
      new AppendMessagesCommand(id, parseRequest(AppendMessagesRequest, body), origin),
    );
  }

  @Post(':id/close')
  @HttpCode(202)
  @RequireScope('operate')
  async close(@Param('id') id: string, @Body() body: unknown, @Origin() origin: RequestOrigin) {
    parseNothing(body);
    await this.commands.execute(new CloseSessionCommand(id, origin));
    return this.queries.execute(new GetAgentQuery(id, origin.principal));
  }

  @Post(':id/reopen')
  @HttpCode(202)
  @RequireScope('operate')
  async reopen(@Param('id') id: string, @Body() body: unknown, @Origin() origin: RequestOrigin) {
    parseNothing(body);
    await this.commands.execute(new ReopenSessionCommand(id, origin));
    return this.queries.execute(new GetAgentQuery(id, origin.principal));
  }
}
