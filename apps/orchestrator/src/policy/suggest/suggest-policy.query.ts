import { Query } from '@nestjs/cqrs';
import { z } from 'zod';
import type { ListSuggestion } from '#agents';
import type { Principal } from '../../auth/principal.js';

/** `POST /v1/policy/suggest`. */
export const SuggestPolicyRequest = z.strictObject({ agentId: z.string() });

/** The least list of a finished agent; `fork_tools` can be given to a launch as it is. */
export interface SuggestionAnswer extends Omit<ListSuggestion, 'forkTools'> {
  readonly agentId: string;
  readonly status: string;
  readonly fork_tools: readonly string[];
}

export class SuggestPolicyQuery extends Query<SuggestionAnswer> {
  constructor(
    readonly agentId: string,
    readonly principal: Principal,
  ) {
    super();
  }
}
