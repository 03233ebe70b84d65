import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { closeSession, executeCommand } from '#transcripts';
import { AgentAccess } from '../../agents/agent-access.js';
import { orProblem } from '../../http/problem.js';
import { envelopeOf } from '../../http/request-origin.js';
import { LogTools } from '../../log/log-tools.js';
import { CloseSessionCommand } from './close-session.command.js';

/** Closing a session blocks revival of its forks until it is reopened or they are abandoned (spec 04 §1). */
@CommandHandler(CloseSessionCommand)
export class CloseSessionHandler implements ICommandHandler<CloseSessionCommand> {
  constructor(
    private readonly tools: LogTools,
    private readonly access: AgentAccess,
  ) {}

  async execute({ sessionId, origin }: CloseSessionCommand): Promise<void> {
    const from = await this.access.load(sessionId, origin.principal);
    orProblem(
      await executeCommand(this.tools, {
        stream: sessionId,
        from,
        ...envelopeOf(origin),
        decide: closeSession,
      }),
    );
  }
}
