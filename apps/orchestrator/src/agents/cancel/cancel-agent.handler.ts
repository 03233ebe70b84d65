import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { cancelAgent, executeCommand } from '#transcripts';
import { orProblem } from '../../http/problem.js';
import { envelopeOf } from '../../http/request-origin.js';
import { LogTools } from '../../log/log-tools.js';
import { AgentAccess } from '../agent-access.js';
import { CancelAgentCommand } from './cancel-agent.command.js';

/** Cancels an agent. What it launched is cancelled after it, by a reader of the log: none may go on for a parent that is gone. */
@CommandHandler(CancelAgentCommand)
export class CancelAgentHandler implements ICommandHandler<CancelAgentCommand> {
  constructor(
    private readonly tools: LogTools,
    private readonly access: AgentAccess,
  ) {}

  async execute({ agentId, origin }: CancelAgentCommand): Promise<void> {
    const from = await this.access.load(agentId, origin.principal);
    const by = `key:${origin.principal.keyId}`;
    orProblem(
      await executeCommand(this.tools, {
        stream: agentId,
        from,
        ...envelopeOf(origin),
        // Who is given up need not be readable.
        evenDamaged: true,
        decide: (meta) => cancelAgent({ by, reason: 'cancelled' }, meta),
      }),
    );
  }
}
