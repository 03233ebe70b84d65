import type { RecordedRequest } from './request-log.js';

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

function bodyOf(body: Buffer): { readonly body: string } | { readonly bodyBase64: string } {
  try {
    return { body: decoder.decode(body) };
  } catch {
    return { bodyBase64: body.toString('base64') };
  }
}

/** A recorded request as JSON: its body as text when it is UTF-8, else as base64. */
export function describeRequest({ body, ...rest }: RecordedRequest) {
  return { ...rest, bytes: body.length, ...bodyOf(body) };
}
