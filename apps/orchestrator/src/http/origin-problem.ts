import type { FastifyRequest } from 'fastify';
import { EdgeCode, type Problem, problemOf } from './problem.js';

const loopbackNames = new Set(['localhost', '127.0.0.1', '[::1]']);

/**
 * Refuses requests that a browser was tricked into sending (spec 05 §7): on loopback only loopback names are served, so that
 * a name that resolves here does not reach us, and an `Origin` must be our own. Null when there is nothing to refuse.
 */
export function originProblem(
  { headers }: Pick<FastifyRequest, 'headers'>,
  isLoopback: boolean,
): Problem | null {
  const { host = '', origin } = headers;
  const name = host.replace(/:\d+$/, '').toLowerCase();
  if (isLoopback && !loopbackNames.has(name))
    return problemOf(EdgeCode.FORBIDDEN, 'This server answers to loopback names only.');
  const isOwn = origin === undefined || origin === `http://${host}` || origin === `https://${host}`;
  return isOwn ? null : problemOf(EdgeCode.FORBIDDEN, 'Requests of other origins are not answered.');
}
