import { Body, Controller, Get, HttpCode, Param, Post, Query } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { z } from 'zod';
import { isAgentId } from '#transcripts';
import type { Principal } from '../auth/principal.js';
import { From, Origin, RequireScope, TakesQuery } from '../auth/require-scope.js';
import { parseRequest } from '../http/parse-request.js';
import type { RequestOrigin } from '../http/request-origin.js';
import { QuestionInbox } from '../projections/question-inbox/question-inbox.js';
import { AnswerQuestionCommand, AnswerQuestionRequest } from './answer-question.command.js';

const ListQuestionsRequest = z.strictObject({
  status: z.enum(['pending', 'answered', 'expired', 'void']).exactOptional(),
  after: z.string().refine(isAgentId, 'must be the "next" of an earlier page').exactOptional(),
  limit: z.coerce.number().int().min(1).default(100),
});

/** `/v1/questions`: what agents asked, of people and of the agents that launched them. */
@Controller('v1/questions')
export class QuestionsController {
  constructor(
    private readonly inbox: QuestionInbox,
    private readonly commands: CommandBus,
  ) {}

  @Get()
  @RequireScope('observe')
  @TakesQuery()
  async list(@Query() query: unknown, @From() from: Principal) {
    const {
      status = null,
      after = null,
      limit,
    } = parseRequest(ListQuestionsRequest, { ...(query as object) });
    const most = Math.min(limit, 200);
    const items = await this.inbox.list(from.tenant, status, after, most);
    return { items, next: items.length < most ? null : (items.at(-1)?.id ?? null) };
  }

  @Post(':id')
  @HttpCode(200)
  @RequireScope('operate')
  async answer(@Param('id') id: string, @Body() body: unknown, @Origin() origin: RequestOrigin) {
    const { text } = parseRequest(AnswerQuestionRequest, body);
    await this.commands.execute(new AnswerQuestionCommand(id, text, origin));
    return { id, text };
  }
}
