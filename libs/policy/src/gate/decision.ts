import type { ToolIdentity } from '../tool-identity.js';
import type { RefusalReason } from './refusal-reason.js';

/** What let a call through: no list anywhere above it, or the narrowest own entry that matches it. */
export type AllowRule =
  { readonly kind: 'unrestricted' } | { readonly kind: 'entry'; readonly entry: string };

/** The call may go on to argument validation, hooks and permissions; it is not approved by this. */
export interface AllowedDecision {
  readonly allowed: true;
  readonly identity: ToolIdentity;
  readonly rule: AllowRule;
}

/** The call is answered by a refusal. `layer` is 0 for the agent's own bounds, n for its n-th ancestor. */
export interface RefusedDecision {
  readonly allowed: false;
  readonly identity?: ToolIdentity;
  readonly reason: RefusalReason;
  readonly layer: number;
}

/** The answer of the gate to one name; the identity in it is the one to execute. */
export type GateDecision = AllowedDecision | RefusedDecision;
