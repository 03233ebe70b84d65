import { defaultTenant } from '#platform';
import { EdgeCode, type Problem, problemOf } from '../http/problem.js';
import type { KeyRing } from './key-ring.js';
import type { Principal } from './principal.js';
import type { AuthenticatedRequest } from './require-scope.js';
import type { RouteAccess } from './route-access.js';

/**
 * Every request carries a key, on loopback too: a fork with a shell could otherwise launch and approve itself (SEC-1). It is asked
 * for by the headers alone, before a body is read, so that whoever has no key costs no memory. Also the injection token.
 */
export class KeyCheck {
  constructor(private readonly keys: Pick<KeyRing, 'identify'>) {}

  /** Leaves the principal on the request, or answers why the request is refused. Never rejects. */
  async problemFor(request: AuthenticatedRequest, access: RouteAccess): Promise<Problem | null> {
    if (access.needsNoKey === true) return null;
    const principal = await this.principalOf(request);
    if (principal === 'unknown') return unavailable;
    if (principal === null) return unauthenticated;
    const problem = scopeProblem(principal, access);
    if (problem === null) request.principal = principal;
    return problem;
  }

  /** `unknown` when keys cannot be looked up: then nobody gets in. */
  private async principalOf({ headers }: AuthenticatedRequest): Promise<Principal | 'unknown' | null> {
    try {
      return await this.keys.identify(headers.authorization, headers.cookie);
    } catch {
      return 'unknown';
    }
  }
}

function scopeProblem({ scopes, tenant }: Principal, { scope, isWholeServer }: RouteAccess): Problem | null {
  // A handler that says nothing is open to nobody but the operator of the server.
  const needed = scope ?? 'admin';
  if (!scopes.has(needed))
    return problemOf(EdgeCode.FORBIDDEN, `This needs a key with the scope "${needed}".`, {
      offenders: [needed],
    });
  const isForOperator = scope === undefined || isWholeServer === true;
  return isForOperator && tenant !== defaultTenant ? operatorOnly : null;
}

const unauthenticated = problemOf(
  EdgeCode.UNAUTHENTICATED,
  'Send a valid key as "Authorization: Bearer <key>".',
);
const unavailable = problemOf(EdgeCode.UNAVAILABLE, 'Keys cannot be checked right now.');
const operatorOnly = problemOf(
  EdgeCode.FORBIDDEN,
  `This speaks of the whole server and needs a key of the tenant "${defaultTenant}" with the scope "admin".`,
);
