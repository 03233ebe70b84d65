import { asJson, text } from '../state/read.js';

/** An answer of the server, or why there is none. `status` is 0 when the server could not be reached. */
export type Answer =
  | { readonly ok: true; readonly body: unknown }
  | { readonly ok: false; readonly status: number; readonly problem: string };

/** Reads JSON with the page's cookie. */
export const get = (path: string): Promise<Answer> => send(path, { headers: { accept: 'application/json' } });

/** Posts JSON with the page's cookie. The same key with the same body has one outcome (spec 05 §1). */
export const post = (path: string, body: unknown, idempotencyKey: string): Promise<Answer> =>
  send(path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'idempotency-key': idempotencyKey },
    body: JSON.stringify(body),
  });

async function send(path: string, request: RequestInit): Promise<Answer> {
  try {
    const response = await fetch(path, { ...request, credentials: 'same-origin', cache: 'no-store' });
    const body: unknown = await response.json().catch(() => null);
    if (response.ok) return { ok: true, body };
    return { ok: false, status: response.status, problem: problemOf(body, response.status) };
  } catch {
    return { ok: false, status: 0, problem: 'The server cannot be reached.' };
  }
}

const problemOf = (body: unknown, status: number): string =>
  text(asJson(body), 'detail', 'title') ?? `The server answered ${status}.`;
