import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { rawForm } from '#policy';
import { callTool } from '../../tools/testing/call-tool.js';
import type { ToolResult } from '../../tools/tool.js';
import { defaultDeadlines, type McpDeadlines, type McpOptions } from '../mcp-options.js';
import { McpPool } from '../mcp-pool.js';
import type { McpLiveTool } from '../mcp-tool.js';
import type { McpOffer, McpSession } from '../session-servers.js';

const require = createRequire(import.meta.url);

/** The entry script of one of the project's real servers. */
export function realServer(name: 'everything' | 'filesystem' | 'memory'): string {
  const manifest = require.resolve(`@modelcontextprotocol/server-${name}/package.json`);
  return join(dirname(manifest), 'dist/index.js');
}

export interface HarnessOptions {
  readonly deadlines?: Partial<McpDeadlines>;
  readonly referenced?: Readonly<Record<string, string>>;
  readonly trusts?: McpOptions['trusts'];
}

/** A pool as a worker has one, and what it reported. */
export interface Harness {
  readonly pool: McpPool;
  readonly faults: string[];
}

export function makePool(options: HarnessOptions = {}): Harness {
  const faults: string[] = [];
  const all: McpOptions = {
    childEnvironment: { PATH: process.env['PATH'] ?? '' },
    referenced: options.referenced ?? {},
    deadlines: { ...defaultDeadlines, ...options.deadlines },
    trusts: options.trusts ?? (() => false),
    onFault: (server, problem) => void faults.push(`${server}: ${problem}`),
  };
  return { pool: new McpPool(all), faults };
}

/** A session with these servers. */
export function sessionWith(servers: object, projectRoot = '/tmp', sessionId = 's1'): McpSession {
  return { sessionId, projectRoot, mcpServers: JSON.stringify(servers) };
}

/** The raw forms of what is offered, sorted. */
export const namesOf = (offer: McpOffer): readonly string[] =>
  offer.tools.map((tool) => rawForm(tool.identity)).sort();

export function toolOf(offer: McpOffer, name: string): McpLiveTool {
  const found = offer.tools.find((tool) => rawForm(tool.identity) === name);
  if (found === undefined) throw new Error(`${name} is not offered; there are ${namesOf(offer).join(', ')}.`);
  return found;
}

/** Calls an offered tool the way a run does. */
export function callOffered(
  offer: McpOffer,
  name: string,
  given: unknown = {},
  signal?: AbortSignal,
): Promise<ToolResult> {
  return callTool(toolOf(offer, name).executor, '/tmp', given, signal === undefined ? {} : { signal });
}
