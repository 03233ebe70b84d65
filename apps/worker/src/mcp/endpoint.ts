import type { ServerTool } from './parse-tool.js';
import type { CallRequest } from './request-call.js';
import type { ServerConfig } from './server-config.js';

/** One server of a session and how it is reached. */
export interface Endpoint {
  readonly server: string;
  readonly config: ServerConfig;
  /** Where a stdio server runs. */
  readonly cwd: string;
}

/** A call of a tool that was offered. */
export interface ToolCallRequest extends Omit<CallRequest, 'tool'> {
  /** As it was declared: a call of what the server has changed since is not made (field case M19). */
  readonly tool: ServerTool;
}
