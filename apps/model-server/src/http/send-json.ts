import type { ServerResponse } from 'node:http';

/** Answers with JSON. Extra headers win over the content type. */
export function sendJson(
  response: ServerResponse,
  status: number,
  value: unknown,
  headers: Readonly<Record<string, string>> = {},
): void {
  const text = JSON.stringify(value);
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(text);
}
