import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { executeCommand, resolveApproval, TranscriptCode } from '#transcripts';
import { AgentAccess } from '../agents/agent-access.js';
import { assertSameBody } from '../http/parse-request.js';
import { EdgeCode, orProblem, ProblemError } from '../http/problem.js';
import { envelopeOf } from '../http/request-origin.js';
import { LogTools } from '../log/log-tools.js';
import { ApprovalInbox } from '../projections/approval-inbox/approval-inbox.js';
import { ResolveApprovalCommand } from './resolve-approval.command.js';
import { settlementOf } from './settlement-of.js';

/** One answer, the first one, decides; resolution and wake-up are the same append (spec 04 §4). */
@CommandHandler(ResolveApprovalCommand)
export class ResolveApprovalHandler implements ICommandHandler<ResolveApprovalCommand> {
  constructor(
    private readonly tools: LogTools,
    private readonly access: AgentAccess,
    private readonly inbox: ApprovalInbox,
  ) {}

  async execute({ approvalId, request, origin }: ResolveApprovalCommand): Promise<void> {
    const agentId = await this.inbox.agentOf(approvalId, origin.principal.tenant);
    if (agentId === null) throw new ProblemError(EdgeCode.NOT_FOUND, 'No approval of this id exists.');
    const from = await this.access.load(agentId, origin.principal);
    const resolved = { approvalId, ...request };
    const result = await executeCommand(this.tools, {
      stream: agentId,
      from,
      ...envelopeOf(origin),
      decide: (meta) => resolveApproval(resolved, meta),
    });
    if (!result.ok && result.code === TranscriptCode.APPROVAL_NOT_FOUND) {
      const settlement = await settlementOf(this.tools.store, agentId, approvalId);
      throw new ProblemError(result.code, `Approval ${approvalId} is not open: it ${settlement}.`);
    }
    assertSameBody(origin.idempotency, orProblem(result).duplicate?.bodyHash ?? null);
  }
}
