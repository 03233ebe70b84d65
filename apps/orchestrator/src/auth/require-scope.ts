import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import type { KeyScope } from '#platform';
import { idempotencyOf } from '../http/parse-request.js';
import type { RequestOrigin } from '../http/request-origin.js';
import type { Principal } from './principal.js';
import { saying } from './route-access.js';

/** The scope that a handler needs. One that names none is open to the operator of the server alone, and fails the sweep over all routes. */
export const RequireScope = (scope: KeyScope) => saying({ scope });

/** A handler that speaks of more than one tenant: beside its scope it needs a key of the default tenant, whose admin runs the server. */
export const WholeServer = () => saying({ isWholeServer: true });

/** A handler that needs no key, and says nothing that one would be needed for. */
export const NoKey = () => saying({ needsNoKey: true });

/** A handler that looks at the query and refuses what it does not know. Of every other one a query is refused whole. */
export const TakesQuery = () => saying({ takesQuery: true });

/** Where the check of the key leaves the principal for the handler. */
export interface AuthenticatedRequest extends FastifyRequest {
  principal?: Principal;
}

function principalOf({ principal }: AuthenticatedRequest): Principal {
  if (principal === undefined)
    throw new Error('A handler asked for the principal of a request that needs no key.');
  return principal;
}

/** The principal of the request. */
export const From = createParamDecorator((_data: unknown, context: ExecutionContext): Principal =>
  principalOf(context.switchToHttp().getRequest<AuthenticatedRequest>()),
);

/** Principal, request id and idempotency key of a command; a key stands for this method, path and body. */
export const Origin = createParamDecorator((_data: unknown, context: ExecutionContext): RequestOrigin => {
  const request = context.switchToHttp().getRequest<AuthenticatedRequest>();
  const header = request.headers['idempotency-key'];
  const idempotency = idempotencyOf(
    `${request.method} ${request.url}`,
    Array.isArray(header) ? header.join(',') : header,
    request.body,
  );
  return { principal: principalOf(request), requestId: request.id, idempotency };
});
