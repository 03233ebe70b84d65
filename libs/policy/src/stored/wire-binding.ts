import { isRegistrableServer } from '../server-name.js';
import type { McpTool } from '../tool-identity.js';
import { hasDigestName, wireName } from '../wire-name.js';

/** What a digest-bearing wire name in a list meant at launch, and means for ever (spec 02 §2, POL-7). */
export interface WireBinding {
  readonly wireName: string;
  readonly server: string;
  readonly tool: string;
}

/** The MCP tool that a binding names. */
export function boundTool(binding: WireBinding): McpTool {
  return { server: binding.server, tool: binding.tool };
}

/** True when the binding can have been made at a launch: its name is the digest-bearing wire name of its own tool. */
export function isSoundBinding(binding: WireBinding): boolean {
  const tool = boundTool(binding);
  return isRegistrableServer(tool.server) && hasDigestName(tool) && wireName(tool) === binding.wireName;
}
