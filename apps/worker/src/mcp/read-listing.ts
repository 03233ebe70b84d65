import type { RawListing } from './list-tools.js';
import { parseTool, type ServerTool } from './parse-tool.js';
import { reasonText, type Withheld, WithheldCode } from './withheld.js';

/** The tools that a server offers, by raw name, and those that are withheld. */
export interface ServerListing {
  readonly tools: ReadonlyMap<string, ServerTool>;
  readonly withheld: readonly Withheld[];
}

export const emptyListing: ServerListing = Object.freeze({ tools: new Map(), withheld: [] });

/** Judges a list tool by tool. A name that is listed twice names no tool: nobody can say which was meant. */
export function readListing(server: string, raw: RawListing): ServerListing {
  const tools = new Map<string, ServerTool>();
  const withheld: Withheld[] = [];
  const twice = new Set<string>();
  for (const given of raw.tools) {
    const parsed = parseTool(server, given);
    if (!parsed.ok) withheld.push({ name: `mcp__${server}__${parsed.name}`, reason: parsed.reason });
    else if (tools.has(parsed.tool.name)) twice.add(parsed.tool.name);
    else tools.set(parsed.tool.name, parsed.tool);
  }
  for (const name of twice) {
    tools.delete(name);
    const reason = reasonText(WithheldCode.TOOL_TWICE, 'the server lists this name more than once');
    withheld.push({ name: `mcp__${server}__${name}`, reason });
  }
  if (raw.cut !== null)
    withheld.push({ name: `mcp__${server}`, reason: reasonText(WithheldCode.LIST_CUT, raw.cut) });
  return { tools, withheld };
}
