import { request as open } from 'node:http';
import type { TestSystem } from './start-system.js';

/** An answer as it came, whatever its status. */
export interface RawAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  /** The parsed body, or its text when it is no JSON. */
  readonly body: unknown;
}

export interface RawRequest {
  readonly method?: string;
  /** Sent as given. */
  readonly text?: string;
  /** Sent as JSON. */
  readonly json?: unknown;
  /** Beats what is sent otherwise, `Host` included. */
  readonly headers?: Readonly<Record<string, string>>;
  /** False sends no key. */
  readonly withKey?: boolean;
}

/** A request with full control over what is sent, the path as it stands; every status is an answer. */
export function rawRequest(
  { api, key }: Pick<TestSystem, 'api' | 'key'>,
  path: string,
  request: RawRequest = {},
): Promise<RawAnswer> {
  const { hostname, port } = new URL(api.address);
  const content = contentOf(request);
  const authorization: Record<string, string> =
    request.withKey === false ? {} : { authorization: `Bearer ${key}` };
  const method = request.method ?? content.method;
  const headers = { ...authorization, ...content.headers, ...request.headers };
  return new Promise((resolve, reject) => {
    const outgoing = open({ hostname, port, path, method, headers, agent: false }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.once('error', reject);
      response.once('end', () => {
        const body = parsed(Buffer.concat(chunks).toString('utf8'));
        resolve({ status: response.statusCode ?? 0, headers: response.headers, body });
      });
    });
    outgoing.once('error', reject).end(content.body);
  });
}

/** The `code` of a problem, or undefined for any other answer. */
export const codeOf = ({ body }: RawAnswer): unknown =>
  typeof body === 'object' && body !== null ? Reflect.get(body, 'code') : undefined;

function contentOf({ text, json }: RawRequest) {
  const body = text ?? (json === undefined ? undefined : JSON.stringify(json));
  if (body === undefined) return { method: 'GET', headers: {}, body };
  return { method: 'POST', headers: { 'content-type': 'application/json' }, body };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
