import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { AgentMeta } from '#transcripts';
import { EdgeCode, ProblemError } from '../../http/problem.js';
import { LogCursors } from '../../log/log-cursors.js';
import { AgentAccess } from '../agent-access.js';
import { launchOrProblem } from '../launch/launch-or-problem.js';
import { Launcher } from '../launch/launcher.js';
import { ForkAgentCommand, type ForkAgentRequest } from './fork-agent.command.js';

/** Forks any transcript at any point: the launch use case, asked of the session, with another history than the session's own. */
@CommandHandler(ForkAgentCommand)
export class ForkAgentHandler implements ICommandHandler<ForkAgentCommand> {
  constructor(
    private readonly launcher: Launcher,
    private readonly access: AgentAccess,
    private readonly cursors: LogCursors,
  ) {}

  async execute({ agentId, request, origin }: ForkAgentCommand): Promise<{ readonly id: string }> {
    const source = await this.access.load(agentId, origin.principal);
    const { atVersion: _version, cursor: _cursor, ...call } = request;
    const version = await this.versionOf(source, request);
    return launchOrProblem(this.launcher, origin, {
      callerId: source.launch?.sessionId ?? agentId,
      call: { subagent_type: 'fork', ...call },
      forkPoint: { agentId, version },
    });
  }

  private async versionOf(
    { agentId, tenant }: AgentMeta,
    { atVersion, cursor: text }: ForkAgentRequest,
  ): Promise<number | null> {
    if (text === undefined) return atVersion ?? null;
    const cursor = await this.cursors.versionAt(text, agentId, tenant);
    if (cursor.ok) return cursor.version;
    throw new ProblemError(
      EdgeCode.CURSOR_INVALID,
      `cursor: the cursor is ${cursor.reason}; leave it out to fork at the end.`,
    );
  }
}
