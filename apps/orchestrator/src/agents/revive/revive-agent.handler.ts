import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { executeCommand, requestRevival } from '#transcripts';
import { orProblem } from '../../http/problem.js';
import { envelopeOf } from '../../http/request-origin.js';
import { LogTools } from '../../log/log-tools.js';
import { AgentAccess } from '../agent-access.js';
import { ReviveAgentCommand } from './revive-agent.command.js';

/** Lets a blocked agent be dispatched again. Going on is a worker's claim; this only opens the one door to it. */
@CommandHandler(ReviveAgentCommand)
export class ReviveAgentHandler implements ICommandHandler<ReviveAgentCommand> {
  constructor(
    private readonly tools: LogTools,
    private readonly access: AgentAccess,
  ) {}

  async execute({ agentId, origin }: ReviveAgentCommand): Promise<void> {
    const from = await this.access.load(agentId, origin.principal);
    orProblem(
      await executeCommand(this.tools, {
        stream: agentId,
        from,
        ...envelopeOf(origin),
        decide: requestRevival,
      }),
    );
  }
}
