import { Body, Controller, Get, Header, HttpCode, Param, Post, Query } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import type { Principal } from '../auth/principal.js';
import { From, Origin, RequireScope, TakesQuery } from '../auth/require-scope.js';
import { parseNothing, parseRequest } from '../http/parse-request.js';
import type { RequestOrigin } from '../http/request-origin.js';
import { CancelAgentCommand } from './cancel/cancel-agent.command.js';
import { MessageAgentCommand, MessageAgentRequest } from './message/message-agent.command.js';
import { GetAgentQuery } from './queries/get-agent.query.js';
import { GetTranscriptQuery, parseTranscriptRequest } from './queries/get-transcript.query.js';
import { printTranscript } from './queries/print-transcript.js';
import { ListAgentsQuery } from './queries/list-agents.query.js';
import { parseListRequest } from './queries/list-agents.request.js';
import { ReviveAgentCommand } from './revive/revive-agent.command.js';

/** `/v1/agents`: body to command, query to read model. Nothing is decided here. */
@Controller('v1/agents')
export class AgentsController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  @Get()
  @RequireScope('observe')
  @TakesQuery()
  list(@Query() query: unknown, @From() from: Principal) {
    return this.queries.execute(new ListAgentsQuery(parseListRequest(query), from));
  }

  @Get(':id')
  @RequireScope('observe')
  get(@Param('id') id: string, @From() from: Principal) {
    return this.queries.execute(new GetAgentQuery(id, from));
  }

  @Get(':id/transcript')
  @RequireScope('observe')
  @TakesQuery()
  @Header('content-type', 'application/json; charset=utf-8')
  async transcript(@Param('id') id: string, @Query() query: unknown, @From() from: Principal) {
    const page = await this.queries.execute(new GetTranscriptQuery(id, parseTranscriptRequest(query), from));
    return printTranscript(page);
  }

  @Post(':id/messages')
  @HttpCode(202)
  @RequireScope('operate')
  message(@Param('id') id: string, @Body() body: unknown, @Origin() origin: RequestOrigin) {
    const { text } = parseRequest(MessageAgentRequest, body);
    return this.answer(id, origin, new MessageAgentCommand(id, text, origin));
  }

  @Post(':id/cancel')
  @HttpCode(202)
  @RequireScope('operate')
  cancel(@Param('id') id: string, @Body() body: unknown, @Origin() origin: RequestOrigin) {
    parseNothing(body);
    return this.answer(id, origin, new CancelAgentCommand(id, origin));
  }

  @Post(':id/revive')
  @HttpCode(202)
  @RequireScope('operate')
  revive(@Param('id') id: string, @Body() body: unknown, @Origin() origin: RequestOrigin) {
    parseNothing(body);
    return this.answer(id, origin, new ReviveAgentCommand(id, origin));
  }

  private async answer(
    id: string,
    origin: RequestOrigin,
    command: MessageAgentCommand | CancelAgentCommand | ReviveAgentCommand,
  ) {
    await this.commands.execute(command);
    const { status } = await this.queries.execute(new GetAgentQuery(id, origin.principal));
    return { id, status };
  }
}
