import type { EventContext, IdempotencyClaim } from '#transcripts';
import { contextOf, type Principal } from '../auth/principal.js';

/** Who sent a command, in which request, and under which idempotency key. */
export interface RequestOrigin {
  readonly principal: Principal;
  readonly requestId: string;
  readonly idempotency?: IdempotencyClaim | undefined;
}

/** The event context and the claim of a command, ready to be spread into it. */
export function envelopeOf({ principal, requestId, idempotency }: RequestOrigin): {
  context: EventContext;
  idempotency?: IdempotencyClaim;
} {
  const context = contextOf(principal, requestId);
  return idempotency === undefined ? { context } : { context, idempotency };
}
