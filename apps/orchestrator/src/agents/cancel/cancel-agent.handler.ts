import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { cancelAgent, executeCommand, hasEnded } from '#transcripts';
import { orProblem } from '../../http/problem.js';
import { envelopeOf } from '../../http/request-origin.js';
import { LogTools } from '../../log/log-tools.js';
import { AgentRoster } from '../../projections/agent-roster/agent-roster.js';
import { AgentAccess } from '../agent-access.js';
import { CancelAgentCommand } from './cancel-agent.command.js';

/** Cancels an agent and, after it, the agents it launched: none may go on for a parent that is gone. */
@CommandHandler(CancelAgentCommand)
export class CancelAgentHandler implements ICommandHandler<CancelAgentCommand> {
  constructor(
    private readonly tools: LogTools,
    private readonly access: AgentAccess,
    private readonly roster: AgentRoster,
  ) {}

  async execute({ agentId, origin }: CancelAgentCommand): Promise<void> {
    const from = await this.access.load(agentId, origin.principal);
    const by = `key:${origin.principal.keyId}`;
    const envelope = envelopeOf(origin);
    orProblem(
      await executeCommand(this.tools, {
        stream: agentId,
        from,
        ...envelope,
        decide: (meta) => cancelAgent({ by, reason: 'cancelled' }, meta),
      }),
    );
    for (const child of await this.roster.descendantsOf(agentId)) {
      const decide = (meta: Parameters<typeof cancelAgent>[1]) =>
        hasEnded(meta)
          ? ({ ok: true, events: [] } as const)
          : cancelAgent({ by, reason: 'parent_cancelled' }, meta);
      await executeCommand(this.tools, { stream: child, context: envelope.context, decide });
    }
  }
}
