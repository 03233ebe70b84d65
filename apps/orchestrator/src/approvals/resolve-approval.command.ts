import { Command } from '@nestjs/cqrs';
import { z } from 'zod';
import type { RequestOrigin } from '../http/request-origin.js';

/** `POST /v1/approvals/:id`. */
export const ResolveApprovalRequest = z.strictObject({
  decision: z.enum(['allow', 'deny']),
  reason: z.string().max(2_000).exactOptional(),
});
export type ResolveApprovalRequest = z.infer<typeof ResolveApprovalRequest>;

export class ResolveApprovalCommand extends Command<void> {
  constructor(
    readonly approvalId: string,
    readonly request: ResolveApprovalRequest,
    readonly origin: RequestOrigin,
  ) {
    super();
  }
}
