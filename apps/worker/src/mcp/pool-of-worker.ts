import { childEnvironment as environmentOfProcess, withoutSecrets } from '#platform';
import { childEnvironment } from '../tools/child-environment.js';
import type { WorkerHandles } from '../worker-handles.js';
import { defaultDeadlines } from './mcp-options.js';
import { isTrusted } from './is-trusted.js';
import { McpPool } from './mcp-pool.js';

const pools = new WeakMap<WorkerHandles, McpPool>();

/** The one pool of a worker: made at its first use, closed by whoever stops the worker. */
export function mcpPoolOf(handles: WorkerHandles): McpPool {
  const known = pools.get(handles);
  if (known !== undefined) return known;
  const fresh = new McpPool({
    childEnvironment: childEnvironment(withoutSecrets()),
    referenced: environmentOfProcess(),
    deadlines: defaultDeadlines,
    trusts: (config) => isTrusted(config, handles.operator.trustedServers),
    onFault: (server, problem) => handles.logger.warn({ server, problem }, 'an MCP server failed'),
  });
  pools.set(handles, fresh);
  return fresh;
}
