import { isJson, text } from './read.js';

/**
 * The name to show for a tool, however it was recorded: a wire name, a built-in `{ name }` or an MCP
 * `{ server, tool }` (spec 02 §2). Null when there is none.
 */
export function toolName(value: unknown): string | null {
  if (typeof value === 'string') return value === '' ? null : value;
  if (!isJson(value)) return null;
  const wireName = text(value, 'wireName');
  if (wireName !== null) return wireName;
  const server = text(value, 'server');
  const tool = text(value, 'tool', 'name');
  if (server !== null && tool !== null) return `mcp__${server}__${tool}`;
  return tool ?? toolName(value['identity']);
}
