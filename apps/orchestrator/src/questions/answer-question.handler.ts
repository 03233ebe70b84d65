import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { answerQuestion, executeCommand, TranscriptCode } from '#transcripts';
import { AgentAccess } from '../agents/agent-access.js';
import { settlementOf } from '../approvals/settlement-of.js';
import { assertSameBody } from '../http/parse-request.js';
import { EdgeCode, orProblem, ProblemError } from '../http/problem.js';
import { envelopeOf } from '../http/request-origin.js';
import { LogTools } from '../log/log-tools.js';
import { QuestionInbox } from '../projections/question-inbox/question-inbox.js';
import { AnswerQuestionCommand } from './answer-question.command.js';

/** The first answer is the result of the call that asked; answer, result and wake-up are one append. */
@CommandHandler(AnswerQuestionCommand)
export class AnswerQuestionHandler implements ICommandHandler<AnswerQuestionCommand> {
  constructor(
    private readonly tools: LogTools,
    private readonly access: AgentAccess,
    private readonly inbox: QuestionInbox,
  ) {}

  async execute({ questionId, text, origin }: AnswerQuestionCommand): Promise<void> {
    const agentId = await this.inbox.agentOf(questionId, origin.principal.tenant);
    if (agentId === null) throw new ProblemError(EdgeCode.NOT_FOUND, 'No question of this id exists.');
    const from = await this.access.load(agentId, origin.principal);
    const result = await executeCommand(this.tools, {
      stream: agentId,
      from,
      ...envelopeOf(origin),
      decide: (meta) => answerQuestion({ questionId, text }, meta),
    });
    if (!result.ok && result.code === TranscriptCode.QUESTION_NOT_FOUND) {
      const settlement = await settlementOf(this.tools.store, agentId, questionId);
      throw new ProblemError(result.code, `Question ${questionId} is not open: it ${settlement}.`);
    }
    assertSameBody(origin.idempotency, orProblem(result).duplicate?.bodyHash ?? null);
  }
}
