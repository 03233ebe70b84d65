import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { changeRuntime, executeCommand } from '#transcripts';
import { AgentAccess } from '../../agents/agent-access.js';
import { orProblem } from '../../http/problem.js';
import { envelopeOf } from '../../http/request-origin.js';
import { LogTools } from '../../log/log-tools.js';
import { ChangeRuntimeCommand } from './change-runtime.command.js';
import { changesOf } from './runtime-of.js';

@CommandHandler(ChangeRuntimeCommand)
export class ChangeRuntimeHandler implements ICommandHandler<ChangeRuntimeCommand> {
  constructor(
    private readonly tools: LogTools,
    private readonly access: AgentAccess,
  ) {}

  async execute({ sessionId, request, origin }: ChangeRuntimeCommand): Promise<void> {
    const from = await this.access.load(sessionId, origin.principal);
    const changes = changesOf(request);
    orProblem(
      await executeCommand(this.tools, {
        stream: sessionId,
        from,
        ...envelopeOf(origin),
        decide: (meta) => changeRuntime(changes, meta),
      }),
    );
  }
}
