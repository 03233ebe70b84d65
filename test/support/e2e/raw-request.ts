import type { TestSystem } from './start-system.js';

/** An answer as it came, whatever its status. */
export interface RawAnswer {
  readonly status: number;
  readonly headers: Headers;
  /** The parsed body, or its text when it is no JSON. */
  readonly body: unknown;
}

export interface RawRequest {
  readonly method?: string;
  /** Sent as given. */
  readonly text?: string;
  /** Sent as JSON. */
  readonly json?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  /** False sends no key. */
  readonly withKey?: boolean;
}

/** A request with full control over what is sent; every status is an answer. */
export async function rawRequest(
  { api, key }: Pick<TestSystem, 'api' | 'key'>,
  path: string,
  request: RawRequest = {},
): Promise<RawAnswer> {
  const authorization: Record<string, string> =
    request.withKey === false ? {} : { authorization: `Bearer ${key}` };
  const content = contentOf(request);
  const response = await fetch(`${api.address}${path}`, {
    method: request.method ?? content.method,
    headers: { ...authorization, ...content.headers, ...request.headers },
    ...(content.body === undefined ? {} : { body: content.body }),
    redirect: 'manual',
  });
  const answer = await response.text();
  return { status: response.status, headers: response.headers, body: parsed(answer) };
}

function contentOf({ text, json }: RawRequest) {
  const body = text ?? (json === undefined ? undefined : JSON.stringify(json));
  if (body === undefined) return { method: 'GET', headers: {}, body };
  return { method: 'POST', headers: { 'content-type': 'application/json' }, body };
}

/** The `code` of a problem, or undefined for any other answer. */
export const codeOf = ({ body }: RawAnswer): unknown =>
  typeof body === 'object' && body !== null ? Reflect.get(body, 'code') : undefined;

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
