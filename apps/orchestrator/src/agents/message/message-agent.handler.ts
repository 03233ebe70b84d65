import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { type Ceiling, ceilingOf, narrowCeiling, parseCeiling } from '#policy';
import {
  type AgentMeta,
  type Decision,
  executeCommand,
  hasEnded,
  loadMeta,
  queueMessage,
  resumeAgent,
} from '#transcripts';
import { assertSameBody } from '../../http/parse-request.js';
import { EdgeCode, orProblem, ProblemError } from '../../http/problem.js';
import { envelopeOf } from '../../http/request-origin.js';
import { LogTools } from '../../log/log-tools.js';
import { AgentAccess } from '../agent-access.js';
import { MessageAgentCommand } from './message-agent.command.js';

/** A message to a live agent is delivered at its next boundary; to an ended one it is a new activation under the current mode. */
@CommandHandler(MessageAgentCommand)
export class MessageAgentHandler implements ICommandHandler<MessageAgentCommand> {
  constructor(
    private readonly tools: LogTools,
    private readonly access: AgentAccess,
  ) {}

  async execute({ agentId, text, origin }: MessageAgentCommand): Promise<void> {
    const from = await this.access.load(agentId, origin.principal);
    const session = from.launch === null ? from : await loadMeta(this.tools.store, from.launch.sessionId);
    const mode = session.runtime?.workflowMode ?? 'off';
    const message = { messageId: this.tools.newId(), from: `key:${origin.principal.keyId}`, text };
    const decide = (meta: AgentMeta): Decision =>
      hasEnded(meta)
        ? resumeAgent({ message, mode, ceiling: resumedCeiling(meta, mode) }, meta)
        : queueMessage(message, meta);
    const result = orProblem(
      await executeCommand(this.tools, { stream: agentId, from, ...envelopeOf(origin), decide }),
    );
    assertSameBody(origin.idempotency, result.duplicate?.bodyHash ?? null);
  }
}

/** Ceilings only shrink: the stored one, narrowed by the one of the current mode (spec 02 §5). */
function resumedCeiling(meta: AgentMeta, mode: string): Ceiling {
  const stored = parseCeiling(meta.launch?.ceiling);
  if (!stored.ok) throw new ProblemError(EdgeCode.POLICY_UNREADABLE, stored.rejection.message);
  return narrowCeiling(stored.value, ceilingOf(mode));
}
