import type { FastifyRequest } from 'fastify';
import { EdgeCode, type Problem, problemOf } from './problem.js';

/** Every body of this API is JSON and says so; a form or a nameless one, as `curl -d` sends it, is told what to send. Null for all else. */
export function contentTypeProblem({ headers }: Pick<FastifyRequest, 'headers'>): Problem | null {
  const type = headers['content-type']?.split(';')[0]?.trim().toLowerCase() ?? '';
  if (!hasBody(headers) || type === 'application/json') return null;
  const got = type === '' ? 'a body of no type' : `a body of type "${type.slice(0, 100)}"`;
  return problemOf(
    EdgeCode.CONTENT_TYPE_UNSUPPORTED,
    `This request has ${got}; send Content-Type: application/json.`,
  );
}

function hasBody(headers: FastifyRequest['headers']): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}
