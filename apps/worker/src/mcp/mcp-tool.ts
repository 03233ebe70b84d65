import type { LiveTool } from '#agents';
import { rawForm } from '#policy';
import { answered, failed } from '../tools/define-tool.js';
import type { Tool, ToolCall, ToolResult } from '../tools/tool.js';
import { describeCallFault } from './classify-fault.js';
import type { ServerTool } from './parse-tool.js';
import { renderResult } from './render-result.js';

/** A tool of an MCP server as the surface sees it, with what carries it out: the identity the gate checked is the one called. */
export interface McpLiveTool extends LiveTool {
  /** Canonical text; part of what an approval is bound to (field case M19). */
  readonly annotations: string;
  /** Of everything that the server says of the tool. */
  readonly digest: string;
  readonly executor: Tool;
}

/** True for a tool that was made here. */
export function isMcpLiveTool(tool: LiveTool): tool is McpLiveTool {
  return 'executor' in tool;
}

export interface McpToolPorts {
  /** Rejects with whatever kept the call from a result. */
  readonly call: (tool: ServerTool, call: ToolCall) => Promise<unknown>;
  readonly mask: (text: string) => string;
}

const OUTPUT_CAP = 30_000;

/** Makes the tool. Hints count only of a server that the operator trusts; undeclared means side-effecting (spec 04 §3). */
export function mcpTool(
  server: string,
  tool: ServerTool,
  isTrusted: boolean,
  ports: McpToolPorts,
): McpLiveTool {
  const identity = { server, tool: tool.name };
  const readOnly = isTrusted && tool.hints.readOnly;
  const idempotent = readOnly || (isTrusted && tool.hints.idempotent);
  const { description, parameters, annotations, digest } = tool;
  const executor: Tool = {
    name: rawForm(identity),
    description,
    parameters: tool.outline,
    readOnly,
    idempotent,
    destructive: !readOnly,
    outputCap: OUTPUT_CAP,
    execute: (call) => execute(server, tool, call, ports),
  };
  return {
    identity,
    description,
    parameters,
    annotations,
    digest,
    readOnly,
    idempotent,
    executable: true,
    executor,
  };
}

async function execute(
  server: string,
  tool: ServerTool,
  call: ToolCall,
  { call: send, mask }: McpToolPorts,
): Promise<ToolResult> {
  try {
    const { outcome, text } = renderResult(await send(tool, call));
    return answered(mask(text), OUTPUT_CAP, outcome);
  } catch (thrown) {
    return failed(call.context.signal.aborted ? 'Cancelled.' : mask(describeCallFault(server, thrown)));
  }
}
