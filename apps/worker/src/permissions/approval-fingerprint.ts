import { createHash } from 'node:crypto';
import type { LiveTool } from '#agents';
import { canonicalJson } from '../mcp/canonical-json.js';
import { isMcpLiveTool } from '../mcp/mcp-tool.js';

/**
 * What an approval is bound to besides the arguments: who the tool is and everything that is said of it. Key order
 * changes nothing; a changed description, schema or annotation makes it another tool (field case M19).
 */
export function approvalFingerprint(tool: LiveTool): string {
  if (isMcpLiveTool(tool)) return tool.digest;
  const { identity, description, parameters } = tool;
  return createHash('sha256')
    .update(canonicalJson([identity, description, JSON.parse(parameters)]))
    .digest('base64url');
}
