import { Query } from '@nestjs/cqrs';
import type { CallVerdict } from '#agents';
import type { ToolIdentity, WireBinding } from '#policy';
import type { Principal } from '../../auth/principal.js';
import type { EvaluatePolicyRequest } from './evaluate-policy.request.js';

/** The stored policy as the API shows it: bindings only where there are any. */
export type PolicyAnswer =
  | { readonly kind: 'unrestricted' }
  | {
      readonly kind: 'list';
      readonly entries: readonly string[];
      readonly bindings?: readonly WireBinding[];
    };

/** What was left out of the surface; the log keeps no identity of it, so an agent's surface has none here. */
export interface WithheldAnswer {
  readonly wireName: string;
  readonly identity?: ToolIdentity;
  readonly reason: string;
}

/** The answer of `POST /v1/policy/evaluate` (spec 05 §1). */
export interface EvaluationAnswer {
  readonly policy: PolicyAnswer;
  readonly surface: readonly { readonly wireName: string; readonly identity: ToolIdentity }[];
  readonly withheld: readonly WithheldAnswer[];
  readonly decisions: readonly CallVerdict[];
}

export class EvaluatePolicyQuery extends Query<EvaluationAnswer> {
  constructor(
    readonly request: EvaluatePolicyRequest,
    readonly principal: Principal,
  ) {
    super();
  }
}
