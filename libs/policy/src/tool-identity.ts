/** A built-in tool: its registry name, which is also the name the model is shown. */
export interface BuiltInTool {
  readonly name: string;
}

/** An MCP tool: server and tool name raw, exactly as the server gave them. */
export interface McpTool {
  readonly server: string;
  readonly tool: string;
}

/** What a tool is, whatever it is called on the wire (spec 02 §2). */
export type ToolIdentity = BuiltInTool | McpTool;

/** Opens the raw form of every MCP tool. */
export const MCP_PREFIX = 'mcp__';
/** Stands between server and tool; a registrable server never contains it. */
export const MCP_SEPARATOR = '__';

/** True when the identity is an MCP tool. */
export function isMcpTool(identity: ToolIdentity): identity is McpTool {
  return 'server' in identity;
}

/**
 * The raw form: the registry name of a built-in, `mcp__<server>__<tool>` of an MCP tool. Unique among tools whose
 * servers may register; two other servers can share one, so compare identities, not raw forms.
 */
export function rawForm(identity: ToolIdentity): string {
  return isMcpTool(identity)
    ? `${MCP_PREFIX}${identity.server}${MCP_SEPARATOR}${identity.tool}`
    : identity.name;
}

/** True when both are the same tool, by exact code units. */
export function isSameTool(left: ToolIdentity, right: ToolIdentity): boolean {
  if (isMcpTool(left)) return isMcpTool(right) && left.server === right.server && left.tool === right.tool;
  return !isMcpTool(right) && left.name === right.name;
}
