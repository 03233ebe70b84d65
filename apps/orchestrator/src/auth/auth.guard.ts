import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { EdgeCode, ProblemError } from '../http/problem.js';
import { KeyRing } from './key-ring.js';
import type { Scope } from './principal.js';
import { type AuthenticatedRequest, openKey, scopeKey } from './require-scope.js';

/** Every request carries a key, on loopback too: a fork with a shell could otherwise launch and approve itself (SEC-1). */
@Injectable()
export class AuthGuard implements CanActivate {
  constructor(
    private readonly keys: KeyRing,
    private readonly reflector: Reflector,
  ) {}

  canActivate(context: ExecutionContext): boolean {
    const targets = [context.getHandler(), context.getClass()];
    if (this.reflector.getAllAndOverride<boolean | undefined>(openKey, targets) === true) return true;
    const request = context.switchToHttp().getRequest<AuthenticatedRequest>();
    const principal = this.keys.identify(request.headers.authorization, request.headers.cookie);
    if (principal === null)
      throw new ProblemError(EdgeCode.UNAUTHENTICATED, 'Send a valid key as "Authorization: Bearer <key>".');
    const scope = this.reflector.getAllAndOverride<Scope | undefined>(scopeKey, targets) ?? 'admin';
    if (!principal.scopes.has(scope))
      throw new ProblemError(EdgeCode.FORBIDDEN, `This key lacks the scope "${scope}".`);
    request.principal = principal;
    return true;
  }
}
