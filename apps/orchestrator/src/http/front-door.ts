import type { FastifyReply, FastifyRequest } from 'fastify';
import type { KeyCheck } from '../auth/key-check.js';
import type { RouteAccess, RouteSettings } from '../auth/route-access.js';
import { contentTypeProblem } from './content-type-problem.js';
import type { KnownPaths } from './known-paths.js';
import { originProblem } from './origin-problem.js';
import { EdgeCode, type Problem, problemOf } from './problem.js';
import type { RequestsUnderWay } from './requests-under-way.js';

/** What stands at the door. */
export interface FrontDoorOptions {
  readonly underWay: RequestsUnderWay;
  readonly isLoopback: boolean;
  readonly paths: KnownPaths;
  readonly keys: KeyCheck;
}

/** Judges a request by its first line and its headers, in a fixed order, before anything of its body is read. Null lets it in. */
export async function problemAtTheDoor(
  { underWay, isLoopback, paths, keys }: FrontDoorOptions,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<Problem | null> {
  if (!underWay.begin(reply.raw)) return ending;
  const foreign = originProblem(request, isLoopback);
  if (foreign !== null) return foreign;
  if (request.is404) {
    const { problem, allowed } = paths.problemFor(request.method, request.url);
    if (allowed.length > 0) reply.header('allow', allowed.join(', '));
    return problem;
  }
  const access = accessOf(request);
  return (
    (await keys.problemFor(request, access)) ?? queryProblem(request, access) ?? contentTypeProblem(request)
  );
}

const ending = problemOf(EdgeCode.UNAVAILABLE, 'This server is ending; ask again.');

function accessOf({ routeOptions: { config } }: FastifyRequest): RouteAccess {
  return (config as RouteSettings).access ?? {};
}

/** What is not looked at must not be sent: a filter that is ignored answers another question than was asked. */
function queryProblem({ query }: FastifyRequest, { takesQuery, needsNoKey }: RouteAccess): Problem | null {
  const names = Object.keys(query as object);
  if (names.length === 0 || takesQuery === true || needsNoKey === true) return null;
  const given = names.map((name) => `"${name.slice(0, 100)}"`).join(', ');
  return problemOf(EdgeCode.REQUEST_INVALID, `This takes no query, and was given ${given}.`);
}
