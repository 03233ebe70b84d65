import { PolicyCode } from '#policy';
import { type CommandResult, TranscriptCode } from '#transcripts';

/** Codes that only the HTTP edge makes. */
export const EdgeCode = Object.freeze({
  BODY_NOT_JSON: 'BODY_NOT_JSON',
  BODY_TOO_LARGE: 'BODY_TOO_LARGE',
  CONTENT_TYPE_UNSUPPORTED: 'CONTENT_TYPE_UNSUPPORTED',
  REQUEST_INVALID: 'REQUEST_INVALID',
  UNAUTHENTICATED: 'UNAUTHENTICATED',
  FORBIDDEN: 'FORBIDDEN',
  NOT_FOUND: 'NOT_FOUND',
  METHOD_NOT_ALLOWED: 'METHOD_NOT_ALLOWED',
  VERSION_CONFLICT: 'VERSION_CONFLICT',
  IDEMPOTENCY_KEY_REUSED: 'IDEMPOTENCY_KEY_REUSED',
  IDEMPOTENCY_KEY_INVALID: 'IDEMPOTENCY_KEY_INVALID',
  CURSOR_INVALID: 'CURSOR_INVALID',
  AGENT_ARCHIVED: 'AGENT_ARCHIVED',
  POLICY_UNREADABLE: 'POLICY_UNREADABLE',
  UNAVAILABLE: 'UNAVAILABLE',
  INTERNAL: 'INTERNAL',
} as const);
export type EdgeCode = (typeof EdgeCode)[keyof typeof EdgeCode];
export type ProblemCode = EdgeCode | PolicyCode | TranscriptCode;

/** An RFC 9457 problem (spec 05 §9). */
export interface Problem {
  readonly type: string;
  readonly title: string;
  readonly status: number;
  readonly code: string;
  readonly detail: string;
  readonly offenders?: readonly string[];
  readonly issues?: readonly { readonly path: string; readonly message: string }[];
}

/** The status of every code that is not 422; content that can be read but not accepted is 422 (spec 05 §1). */
const statuses: ReadonlyMap<string, number> = new Map<string, number>([
  [EdgeCode.BODY_NOT_JSON, 400],
  [EdgeCode.UNAUTHENTICATED, 401],
  [EdgeCode.FORBIDDEN, 403],
  [EdgeCode.NOT_FOUND, 404],
  [EdgeCode.AGENT_ARCHIVED, 404],
  [EdgeCode.METHOD_NOT_ALLOWED, 405],
  [EdgeCode.VERSION_CONFLICT, 409],
  [EdgeCode.POLICY_UNREADABLE, 409],
  [EdgeCode.BODY_TOO_LARGE, 413],
  [EdgeCode.CONTENT_TYPE_UNSUPPORTED, 415],
  [EdgeCode.INTERNAL, 500],
  [EdgeCode.UNAVAILABLE, 503],
  [TranscriptCode.AGENT_NOT_FOUND, 404],
  [TranscriptCode.AGENT_EXISTS, 409],
  [TranscriptCode.AGENT_ENDED, 409],
  [TranscriptCode.AGENT_NOT_ENDED, 409],
  [TranscriptCode.AGENT_DAMAGED, 409],
  [TranscriptCode.AGENT_BUSY, 409],
  [TranscriptCode.RUN_HELD, 409],
  [TranscriptCode.RUN_LOST, 409],
  [TranscriptCode.MESSAGES_PENDING, 409],
  [TranscriptCode.NOT_A_SESSION, 409],
  [TranscriptCode.SESSION_CLOSED, 409],
  [TranscriptCode.SESSION_OPEN, 409],
  [TranscriptCode.SPAWN_FORBIDDEN, 409],
  [TranscriptCode.DEPTH_EXCEEDED, 409],
  [TranscriptCode.APPROVAL_NOT_FOUND, 409],
  [TranscriptCode.QUESTION_NOT_FOUND, 409],
  [TranscriptCode.ALREADY_DELIVERED, 409],
]);

export type ProblemDetails = Pick<Problem, 'offenders' | 'issues'>;

/** Thrown at the edge only, to answer a request with a problem. */
export class ProblemError extends Error {
  readonly problem: Problem;
  constructor(code: ProblemCode, detail: string, about: ProblemDetails = {}, cause?: unknown) {
    super(detail, { cause });
    this.problem = problemOf(code, detail, about);
  }
}

export function problemOf(code: string, detail: string, about: ProblemDetails = {}): Problem {
  const status = statuses.get(code) ?? 422;
  const title = code.toLowerCase().replaceAll('_', ' ');
  const { offenders, issues } = about;
  return {
    type: `urn:offshoot:problem:${code.toLowerCase().replaceAll('_', '-')}`,
    title: title.charAt(0).toUpperCase() + title.slice(1),
    status,
    code,
    detail,
    ...(offenders === undefined || offenders.length === 0 ? {} : { offenders }),
    ...(issues === undefined ? {} : { issues }),
  };
}

/** Throws the problem of a refused command; returns the value of an accepted one. */
export function orProblem(result: CommandResult): Extract<CommandResult, { ok: true }> {
  if (result.ok) return result;
  throw new ProblemError(result.code, result.message);
}
