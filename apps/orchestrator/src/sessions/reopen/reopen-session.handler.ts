import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { executeCommand, reopenSession } from '#transcripts';
import { AgentAccess } from '../../agents/agent-access.js';
import { orProblem } from '../../http/problem.js';
import { envelopeOf } from '../../http/request-origin.js';
import { LogTools } from '../../log/log-tools.js';
import { ReopenSessionCommand } from './reopen-session.command.js';

/** Reopens a closed session. What was held back by the close goes on after it, by a reader of the log (spec 04 §1). */
@CommandHandler(ReopenSessionCommand)
export class ReopenSessionHandler implements ICommandHandler<ReopenSessionCommand> {
  constructor(
    private readonly tools: LogTools,
    private readonly access: AgentAccess,
  ) {}

  async execute({ sessionId, origin }: ReopenSessionCommand): Promise<void> {
    const from = await this.access.load(sessionId, origin.principal);
    orProblem(
      await executeCommand(this.tools, {
        stream: sessionId,
        from,
        ...envelopeOf(origin),
        decide: reopenSession,
      }),
    );
  }
}
