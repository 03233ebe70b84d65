import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { defaultTenant, type KeyScope } from '#platform';
import { EdgeCode, ProblemError } from '../http/problem.js';
import { KeyRing } from './key-ring.js';
import type { Principal } from './principal.js';
import { type AuthenticatedRequest, openKey, scopeKey, wholeServerKey } from './require-scope.js';

/** Every request carries a key, on loopback too: a fork with a shell could otherwise launch and approve itself (SEC-1). */
@Injectable()
export class AuthGuard implements CanActivate {
  constructor(
    private readonly keys: KeyRing,
    private readonly reflector: Reflector,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    if (this.declared(openKey, context) === true) return true;
    const request = context.switchToHttp().getRequest<AuthenticatedRequest>();
    const principal = await this.principalOf(request);
    if (principal === null)
      throw new ProblemError(EdgeCode.UNAUTHENTICATED, 'Send a valid key as "Authorization: Bearer <key>".');
    // A handler that says nothing is open to nobody but the operator of the server.
    const scope = this.declared(scopeKey, context) as KeyScope | undefined;
    assertScope(principal, scope ?? 'admin');
    if (scope === undefined || this.declared(wholeServerKey, context) === true) assertOperator(principal);
    request.principal = principal;
    return true;
  }

  private declared(key: string, context: ExecutionContext): unknown {
    return this.reflector.getAllAndOverride<unknown>(key, [context.getHandler(), context.getClass()]);
  }

  private async principalOf({ headers }: AuthenticatedRequest): Promise<Principal | null> {
    try {
      return await this.keys.identify(headers.authorization, headers.cookie);
    } catch (thrown) {
      throw new ProblemError(EdgeCode.UNAVAILABLE, 'Keys cannot be checked right now.', {}, thrown);
    }
  }
}

function assertScope({ scopes }: Principal, needed: KeyScope): void {
  if (scopes.has(needed)) return;
  throw new ProblemError(EdgeCode.FORBIDDEN, `This needs a key with the scope "${needed}".`, {
    offenders: [needed],
  });
}

function assertOperator({ tenant }: Principal): void {
  if (tenant === defaultTenant) return;
  throw new ProblemError(
    EdgeCode.FORBIDDEN,
    `This speaks of the whole server and needs a key of the tenant "${defaultTenant}" with the scope "admin".`,
  );
}
