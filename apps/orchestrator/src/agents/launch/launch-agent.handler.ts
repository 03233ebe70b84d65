import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { AgentAccess } from '../agent-access.js';
import { LaunchAgentCommand } from './launch-agent.command.js';
import { launchOrProblem } from './launch-or-problem.js';
import { Launcher } from './launcher.js';

/** Launching over HTTP: the same use case as the `agent` tool and the MCP endpoint. */
@CommandHandler(LaunchAgentCommand)
export class LaunchAgentHandler implements ICommandHandler<LaunchAgentCommand> {
  constructor(
    private readonly launcher: Launcher,
    private readonly access: AgentAccess,
  ) {}

  async execute({ sessionId, call, origin }: LaunchAgentCommand): Promise<{ readonly id: string }> {
    await this.access.exists(sessionId, origin.principal);
    return launchOrProblem(this.launcher, origin, { callerId: sessionId, call });
  }
}
