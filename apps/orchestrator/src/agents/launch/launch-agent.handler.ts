import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { launchAgent, UnreadableBoundsError } from '#agents';
import { assertSameBody } from '../../http/parse-request.js';
import { EdgeCode, type ProblemCode, ProblemError } from '../../http/problem.js';
import { envelopeOf } from '../../http/request-origin.js';
import { AgentAccess } from '../agent-access.js';
import { LaunchAgentCommand } from './launch-agent.command.js';
import { Launcher } from './launcher.js';

/** Launching over HTTP: the same use case as the `agent` tool and the MCP endpoint. */
@CommandHandler(LaunchAgentCommand)
export class LaunchAgentHandler implements ICommandHandler<LaunchAgentCommand> {
  constructor(
    private readonly launcher: Launcher,
    private readonly access: AgentAccess,
  ) {}

  async execute({ sessionId, call, origin }: LaunchAgentCommand): Promise<{ readonly id: string }> {
    await this.access.load(sessionId, origin.principal);
    const result = await this.launch(sessionId, call, origin);
    if (!result.ok) {
      const { code, message, offenders } = result.rejection;
      throw new ProblemError(code as ProblemCode, message, { offenders });
    }
    assertSameBody(origin.idempotency, result.bodyHash);
    return { id: result.agentId };
  }

  private async launch(callerId: string, call: unknown, origin: LaunchAgentCommand['origin']) {
    try {
      return await launchAgent(this.launcher.tools, {
        callerId,
        call,
        key: null,
        isHttp: true,
        ...envelopeOf(origin),
      });
    } catch (thrown) {
      if (thrown instanceof UnreadableBoundsError)
        throw new ProblemError(EdgeCode.POLICY_UNREADABLE, thrown.message, {}, thrown);
      throw thrown;
    }
  }
}
