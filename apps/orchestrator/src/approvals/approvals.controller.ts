import { Body, Controller, Get, HttpCode, Param, Post, Query } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { z } from 'zod';
import { isAgentId } from '#transcripts';
import type { Principal } from '../auth/principal.js';
import { From, Origin, RequireScope, TakesQuery } from '../auth/require-scope.js';
import { parseRequest } from '../http/parse-request.js';
import type { RequestOrigin } from '../http/request-origin.js';
import { ApprovalInbox } from '../projections/approval-inbox/approval-inbox.js';
import { ResolveApprovalCommand, ResolveApprovalRequest } from './resolve-approval.command.js';

const ListApprovalsRequest = z.strictObject({
  status: z.enum(['pending', 'allowed', 'denied', 'expired', 'void']).exactOptional(),
  after: z.string().refine(isAgentId, 'must be the "next" of an earlier page').exactOptional(),
  limit: z.coerce.number().int().min(1).default(100),
});

/** `/v1/approvals` (spec 05 §9). */
@Controller('v1/approvals')
export class ApprovalsController {
  constructor(
    private readonly inbox: ApprovalInbox,
    private readonly commands: CommandBus,
  ) {}

  @Get()
  @RequireScope('observe')
  @TakesQuery()
  async list(@Query() query: unknown, @From() from: Principal) {
    const {
      status = null,
      after = null,
      limit,
    } = parseRequest(ListApprovalsRequest, { ...(query as object) });
    const most = Math.min(limit, 200);
    const items = await this.inbox.list(from.tenant, status, after, most);
    return { items, next: items.length < most ? null : (items.at(-1)?.id ?? null) };
  }

  @Post(':id')
  @HttpCode(200)
  @RequireScope('operate')
  async resolve(@Param('id') id: string, @Body() body: unknown, @Origin() origin: RequestOrigin) {
    const request = parseRequest(ResolveApprovalRequest, body);
    await this.commands.execute(new ResolveApprovalCommand(id, request, origin));
    return { id, decision: request.decision };
  }
}
