import { Query } from '@nestjs/cqrs';
import { z } from 'zod';
import type { ListReplayed } from '#agents';
import type { Principal } from '../../auth/principal.js';

/** `POST /v1/policy/replay`; absent `mode` keeps the mode and ceiling that the agent has. `#policy` judges the list. */
export const ReplayPolicyRequest = z.strictObject({
  agentId: z.string(),
  fork_tools: z.unknown(),
  mode: z.string().exactOptional(),
});
export type ReplayPolicyRequest = z.infer<typeof ReplayPolicyRequest>;

/** Which recorded calls the list would have refused. */
export interface ReplayAnswer extends Omit<ListReplayed, 'policy'> {
  readonly agentId: string;
  readonly fork_tools: readonly string[];
}

export class ReplayPolicyQuery extends Query<ReplayAnswer> {
  constructor(
    readonly request: ReplayPolicyRequest,
    readonly principal: Principal,
  ) {
    super();
  }
}
