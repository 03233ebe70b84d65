import { accepted, refused, type Checked } from '../refusal.js';
import type { MessagesRequest } from './request-schema.js';

const maxMarks = 4;

function isMarked(block: object): boolean {
  return 'cache_control' in block && block.cache_control !== null;
}

function blocksOf(request: MessagesRequest): readonly object[] {
  const system = typeof request.system === 'string' ? [] : (request.system ?? []);
  const blocks = request.messages.flatMap<object>(({ content }) =>
    typeof content === 'string' ? [] : content,
  );
  return [...(request.tools ?? []), ...system, ...blocks];
}

/**
 * Where the last cache mark of a request stands, in bytes from its start; 0 without a mark. More than four marks are
 * refused.
 */
export function readCacheMarks(request: MessagesRequest, body: Uint8Array): Checked<number> {
  const found = blocksOf(request).filter(isMarked).length;
  if (found > maxMarks) {
    return refused(`A maximum of ${maxMarks} blocks with cache_control may be provided. Found ${found}.`);
  }
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  return accepted(found === 0 ? 0 : Math.max(0, bytes.lastIndexOf('"cache_control"')));
}
