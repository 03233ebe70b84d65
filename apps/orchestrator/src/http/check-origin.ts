import type { FastifyRequest } from 'fastify';
import { EdgeCode, ProblemError } from './problem.js';

const loopbackNames = new Set(['localhost', '127.0.0.1', '[::1]']);

/**
 * Refuses requests that a browser was tricked into sending (spec 05 §7): on loopback only loopback names are served, so that
 * a name that resolves here does not reach us, and an `Origin` must be our own.
 */
export function checkOrigin(request: Pick<FastifyRequest, 'headers'>, isLoopback: boolean): void {
  const { host, origin } = request.headers;
  const name = (host ?? '').replace(/:\d+$/, '').toLowerCase();
  if (isLoopback && !loopbackNames.has(name)) {
    throw new ProblemError(EdgeCode.FORBIDDEN, 'This server answers to loopback names only.');
  }
  if (origin !== undefined && origin !== `http://${host ?? ''}` && origin !== `https://${host ?? ''}`) {
    throw new ProblemError(EdgeCode.FORBIDDEN, 'Requests of other origins are not answered.');
  }
}
