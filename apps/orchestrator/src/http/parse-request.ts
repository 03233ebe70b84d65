import { createHash } from 'node:crypto';
import { z } from 'zod';
import { checkJsonBounds } from '#policy';
import { issueText } from './issue-text.js';
import { EdgeCode, ProblemError } from './problem.js';

const Nothing = z.strictObject({});

/** Checks that a body is a JSON object within depth and size limits, before anything recursive looks at it (E11). */
export function parseObject(body: unknown): Readonly<Record<string, unknown>> {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    throw new ProblemError(EdgeCode.REQUEST_INVALID, 'The body must be a JSON object.');
  }
  assertBounded(body);
  return body as Readonly<Record<string, unknown>>;
}

/** Parses a body with its schema, or answers 422 with one line per issue. */
export function parseRequest<T extends z.ZodType>(schema: T, body: unknown): z.infer<T> {
  const parsed = schema.safeParse(parseObject(body));
  if (parsed.success) return parsed.data;
  const issues = parsed.error.issues.map((issue) => ({
    path: issue.path.join('.'),
    message: issueText(issue, schema),
  }));
  const detail = issues
    .map(({ path, message }) => (path === '' ? message : `${path}: ${message}`))
    .join('; ');
  throw new ProblemError(EdgeCode.REQUEST_INVALID, detail, { issues });
}

/** Depth and size are judged without recursion; histories may be long, so values are counted generously. */
function assertBounded(body: unknown): void {
  const bounds = checkJsonBounds(body, { maxDepth: 64, maxNodes: 2_000_000 });
  if (!bounds.ok) throw new ProblemError(EdgeCode.REQUEST_INVALID, bounds.rejection.message);
}

/** For requests that say everything by their path: no body, or an empty object. What is not looked at must not be sent. */
export function parseNothing(body: unknown): void {
  if (body !== undefined) parseRequest(Nothing, body);
}

const keyShape = /^[\x21-\x7e]{1,200}$/;

/** The `Idempotency-Key` header and the hash of the body it stands for; undefined when none was sent. */
export function idempotencyOf(
  scope: string,
  header: string | undefined,
  body: unknown,
): { key: string; bodyHash: string } | undefined {
  if (header === undefined) return undefined;
  if (!keyShape.test(header)) {
    throw new ProblemError(
      EdgeCode.IDEMPOTENCY_KEY_INVALID,
      'Idempotency-Key must be 1 to 200 visible ASCII characters.',
    );
  }
  assertBounded(body);
  const bodyHash = createHash('sha256')
    .update(scope)
    .update('\n')
    .update(JSON.stringify(body ?? null))
    .digest('hex');
  return { key: header, bodyHash };
}

/** Same key, other body: the caller must not believe that its new request was done. */
export function assertSameBody(claim: { bodyHash: string } | undefined, recorded: string | null): void {
  if (claim === undefined || recorded === null || claim.bodyHash === recorded) return;
  throw new ProblemError(
    EdgeCode.IDEMPOTENCY_KEY_REUSED,
    'This Idempotency-Key was used for another request before; use a new key for a new request.',
  );
}
