import { type ArgumentsHost, Catch, type ExceptionFilter, HttpException, Logger } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { EdgeCode, type Problem, ProblemError, problemOf } from './problem.js';

/** Turns whatever was thrown into an RFC 9457 problem. An unknown fault is logged whole and told as nothing. */
@Catch()
export class ProblemDetailsFilter implements ExceptionFilter {
  private readonly logger = new Logger('http');

  catch(thrown: unknown, host: ArgumentsHost): void {
    const reply = host.switchToHttp().getResponse<FastifyReply>();
    const problem = this.problemOf(thrown);
    if (reply.raw.headersSent) {
      reply.raw.destroy();
      return;
    }
    void reply.status(problem.status).type('application/problem+json').send(problem);
  }

  private problemOf(thrown: unknown): Problem {
    if (thrown instanceof ProblemError) return thrown.problem;
    if (thrown instanceof HttpException) return fromHttp(thrown.getStatus(), thrown.message);
    const known = fromFastify(thrown);
    if (known !== null) return known;
    this.logger.error(thrown);
    return problemOf(
      EdgeCode.INTERNAL,
      'The request failed for a reason on the side of the server; it was logged.',
    );
  }
}

/** Faults of the HTTP layer itself: bodies that are not JSON, too large or of another type. */
export function fromFastify(thrown: unknown): Problem | null {
  if (!(thrown instanceof Error)) return null;
  if (thrown instanceof SyntaxError)
    return problemOf(EdgeCode.BODY_NOT_JSON, `The body is not JSON: ${thrown.message}.`);
  const status: unknown = Reflect.get(thrown, 'statusCode');
  return typeof status === 'number' && status < 500 ? fromHttp(status, thrown.message) : null;
}

function fromHttp(status: number, message: string): Problem {
  switch (status) {
    case 401:
      return problemOf(EdgeCode.UNAUTHENTICATED, message);
    case 403:
      return problemOf(EdgeCode.FORBIDDEN, message);
    case 404:
      return problemOf(EdgeCode.NOT_FOUND, message);
    case 413:
      return problemOf(EdgeCode.BODY_TOO_LARGE, message);
    case 415:
      return problemOf(EdgeCode.CONTENT_TYPE_UNSUPPORTED, message);
    case 400:
      return problemOf(EdgeCode.BODY_NOT_JSON, message);
    default:
      return problemOf(status < 500 ? EdgeCode.REQUEST_INVALID : EdgeCode.INTERNAL, message);
  }
}
