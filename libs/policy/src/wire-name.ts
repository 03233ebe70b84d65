import { hash } from 'node:crypto';
import { isMcpTool, MCP_PREFIX, MCP_SEPARATOR, rawForm, type ToolIdentity } from './tool-identity.js';

const MAX_WIRE_LENGTH = 64;
const DIGEST_LENGTH = 10;
const MAX_HEAD_LENGTH = MAX_WIRE_LENGTH - DIGEST_LENGTH - 1;
const MIN_SERVER_LENGTH = 24;
const MAX_PARTS_LENGTH = MAX_HEAD_LENGTH - MCP_PREFIX.length - MCP_SEPARATOR.length;
const BASE32 = 'abcdefghijklmnopqrstuvwxyz234567';
const PLAIN = /^[A-Za-z][A-Za-z0-9_-]*$/;

/**
 * The name the model sees and calls (spec 02 §2): the raw form where providers accept it, else both parts sanitised and
 * cut, with a digest of the raw form. A function of the identity alone. It may equal the wire name of another
 * tool; `resolveSurface` withholds both then.
 */
export function wireName(identity: ToolIdentity): string {
  const raw = rawForm(identity);
  if (!isMcpTool(identity)) return raw;
  if (raw.length <= MAX_WIRE_LENGTH && PLAIN.test(raw)) return raw;
  const server = sanitise(identity.server);
  const tool = sanitise(identity.tool);
  return `${MCP_PREFIX}${cutParts(server, tool)}_${digest(raw)}`;
}

/** True when the wire name of the identity carries a digest, so that it differs from the raw form. */
export function hasDigestName(identity: ToolIdentity): boolean {
  return wireName(identity) !== rawForm(identity);
}

function cutParts(server: string, tool: string): string {
  if (server.length + tool.length <= MAX_PARTS_LENGTH) return `${server}${MCP_SEPARATOR}${tool}`;
  const head = server.slice(0, Math.max(MIN_SERVER_LENGTH, MAX_PARTS_LENGTH - tool.length));
  return `${head}${MCP_SEPARATOR}${tool.slice(0, MAX_PARTS_LENGTH - head.length)}`;
}

function sanitise(part: string): string {
  return part.replace(/[^A-Za-z0-9_-]/g, '_');
}

function digest(raw: string): string {
  const bytes = hash('sha256', raw, 'buffer');
  let text = '';
  for (let index = 0; index < DIGEST_LENGTH; index += 1) {
    const bit = index * 5;
    const pair = bytes.readUInt16BE(bit >> 3);
    text += BASE32.charAt((pair >> (11 - (bit & 7))) & 31);
  }
  return text;
}
