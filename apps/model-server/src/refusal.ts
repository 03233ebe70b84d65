/** What is wrong with a request, before a protocol dresses it in its own error shape. */
export const RefusalKind = Object.freeze({
  invalidRequest: 'invalid_request',
  notFound: 'not_found',
  tooLarge: 'too_large',
} as const);
export type RefusalKind = (typeof RefusalKind)[keyof typeof RefusalKind];

/** An expected refusal. `param` is the path of the offending value, `code` a word a client may switch on. */
export interface Refusal {
  readonly kind: RefusalKind;
  readonly code: string | null;
  readonly message: string;
  readonly param: string | null;
}

/** A checked value, or the first reason why there is none. */
export type Checked<T> =
  { readonly ok: true; readonly value: T } | { readonly ok: false; readonly refusal: Refusal };

/** A value that passed its check. */
export function accepted<T>(value: T): Checked<T> {
  return { ok: true, value };
}

/** A refusal that a provider would answer with status 400. `param` is a path such as `messages[3].content`. */
export function refused(
  message: string,
  param: string | null = null,
  code: string | null = null,
): Checked<never> {
  return { ok: false, refusal: { kind: RefusalKind.invalidRequest, code, message, param } };
}

/** The first refusal among checks, or null when all passed. */
export function firstRefusal(checks: readonly Checked<unknown>[]): Refusal | null {
  for (const check of checks) if (!check.ok) return check.refusal;
  return null;
}
