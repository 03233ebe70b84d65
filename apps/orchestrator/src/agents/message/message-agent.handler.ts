import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { messageAgent } from '#agents';
import { assertSameBody } from '../../http/parse-request.js';
import { ProblemError } from '../../http/problem.js';
import { envelopeOf } from '../../http/request-origin.js';
import { LogTools } from '../../log/log-tools.js';
import { AgentAccess } from '../agent-access.js';
import { MessageAgentCommand } from './message-agent.command.js';

/** A message over HTTP: the same use case as the `send_message` tool. */
@CommandHandler(MessageAgentCommand)
export class MessageAgentHandler implements ICommandHandler<MessageAgentCommand> {
  constructor(
    private readonly tools: LogTools,
    private readonly access: AgentAccess,
  ) {}

  async execute({ agentId, text, origin }: MessageAgentCommand): Promise<void> {
    const agent = await this.access.load(agentId, origin.principal);
    const from = `key:${origin.principal.keyId}`;
    const result = await messageAgent(this.tools, { agent, text, from, ...envelopeOf(origin) });
    if (!result.ok) throw new ProblemError(result.code, result.message);
    assertSameBody(origin.idempotency, result.duplicate?.bodyHash ?? null);
  }
}
