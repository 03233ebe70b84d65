import { MCP_PREFIX, MCP_SEPARATOR } from '../tool-identity.js';

/** Most UTF-16 code units in one entry. */
export const MAX_ENTRY_LENGTH = 512;

/**
 * One entry, by what it may match: a name outside the MCP namespace, every MCP tool, a whole server, one raw tool of a
 * server, or the tools of a server whose raw name starts with `prefix`. `text` is the entry as written.
 */
export type AllowlistEntry =
  | { readonly kind: 'name'; readonly text: string }
  | { readonly kind: 'all_mcp'; readonly text: string }
  | { readonly kind: 'server'; readonly text: string; readonly server: string }
  | { readonly kind: 'tool'; readonly text: string; readonly server: string; readonly tool: string }
  | { readonly kind: 'prefix'; readonly text: string; readonly server: string; readonly prefix: string };

/** An entry, or what is wrong with it as the end of a sentence. */
export type ParsedEntry =
  { readonly ok: true; readonly entry: AllowlistEntry } | { readonly ok: false; readonly fault: string };

/** Reads one entry by exact code units (spec 02 §2): nothing is trimmed, folded or mapped. */
export function parseAllowlistEntry(value: unknown): ParsedEntry {
  if (typeof value !== 'string') return faulty('is not a string');
  if (value === '') return faulty('is empty');
  if (value.length > MAX_ENTRY_LENGTH) return faulty(`is longer than ${MAX_ENTRY_LENGTH} characters`);
  if (value !== value.trim()) return faulty('has surrounding whitespace');
  return value.includes('*') ? parseWildcard(value) : sound(parseExact(value));
}

function parseExact(text: string): AllowlistEntry {
  if (!text.startsWith(MCP_PREFIX)) return { kind: 'name', text };
  const rest = text.slice(MCP_PREFIX.length);
  const split = rest.indexOf(MCP_SEPARATOR);
  if (split < 0) return { kind: 'server', text, server: rest };
  return {
    kind: 'tool',
    text,
    server: rest.slice(0, split),
    tool: rest.slice(split + MCP_SEPARATOR.length),
  };
}

function parseWildcard(text: string): ParsedEntry {
  if (text === '*')
    return faulty('is a bare star, and no list allows everything (leave the list out for that)');
  if (text === `${MCP_PREFIX}*`) return sound({ kind: 'all_mcp', text });
  if (!text.startsWith(MCP_PREFIX)) return faulty('uses a star outside the MCP namespace');
  if (text.indexOf('*') !== text.length - 1) return faulty('has a star that is not its one last character');
  const rest = text.slice(MCP_PREFIX.length, -1);
  const split = rest.indexOf(MCP_SEPARATOR);
  if (split <= 0) return faulty('has a star without a whole server name and "__" before it');
  return sound({
    kind: 'prefix',
    text,
    server: rest.slice(0, split),
    prefix: rest.slice(split + MCP_SEPARATOR.length),
  });
}

function sound(entry: AllowlistEntry): ParsedEntry {
  return { ok: true, entry: Object.freeze(entry) };
}

function faulty(fault: string): ParsedEntry {
  return { ok: false, fault };
}
