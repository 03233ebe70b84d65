import { createHash } from 'node:crypto';

import type { RequestFacts } from './model.js';
import type { RenderedRequest } from './rendered-request.js';

function sha256(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

/** The facts of a rendered request; `bytes` is its body in UTF-8, as it is to be sent. */
export function requestFacts(rendered: RenderedRequest): {
  readonly bytes: Uint8Array;
  readonly facts: RequestFacts;
} {
  const bytes = new TextEncoder().encode(rendered.body);
  // The rendering is well-formed, so the prefix of the text is a prefix of the bytes.
  const prefix = bytes.subarray(0, Buffer.byteLength(rendered.prefix));
  return {
    bytes,
    facts: {
      digest: sha256(bytes),
      bytes: bytes.length,
      prefixDigest: sha256(prefix),
      prefixBytes: prefix.length,
    },
  };
}
