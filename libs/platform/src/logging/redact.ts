/** What stands in a log line in the place of a secret. */
export const redacted = '[redacted]';

const secretName =
  /^(authorization|proxy-authorization|cookie|set-cookie|x-api-key|api[-_]?key|password|secret|token|database_?url|redis_?url)$/i;
const secretText =
  /\b(Bearer\s+)[^\s"',;]+|\bosk_[A-Za-z0-9_-]+|\bsk-[A-Za-z0-9_-]{8,}|(:\/\/[^\s/:@"]*:)[^\s/@"]+(?=@)/g;
const maxDepth = 8;

/** Removes keys, bearer tokens and passwords of addresses from a text. */
export function redactText(text: string): string {
  return text.replace(
    secretText,
    (_match, bearer?: string, address?: string) => `${bearer ?? address ?? ''}${redacted}`,
  );
}

/**
 * A copy of a value without its secrets: fields with telling names lose their value, texts lose keys, tokens
 * and passwords wherever they stand. Errors keep name, message, stack, code and cause. Never throws; what lies
 * deeper than eight levels is left out, so that a cycle ends.
 */
export function redact(value: unknown, depth = 0): unknown {
  if (typeof value === 'string') return redactText(value);
  if (typeof value !== 'object' || value === null) return value;
  if (depth >= maxDepth) return '[deep]';
  if (Array.isArray(value)) return value.map((item) => redact(item, depth + 1));
  return redactFields(value, depth);
}

function redactFields(value: object, depth: number): unknown {
  const out: Record<string, unknown> = {};
  const named = isErrorLike(value) ? errorFields(value) : Object.entries(value);
  for (const [name, field] of named) {
    out[name] = secretName.test(name) ? redacted : redact(field, depth + 1);
  }
  return out;
}

function isErrorLike(value: object): value is { message: unknown } {
  return value instanceof Error || ('stack' in value && 'message' in value);
}

/** Message, stack and cause of an error are no enumerable fields. */
function errorFields(error: object): readonly [string, unknown][] {
  const fields: [string, unknown][] = ['name', 'message', 'stack', 'cause']
    .map((name): [string, unknown] => [name, Reflect.get(error, name)])
    .filter(([, field]) => field !== undefined);
  return [...fields, ...Object.entries(error)];
}
