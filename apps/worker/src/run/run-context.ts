import type { BoundSurface, LiveTool } from '#agents';
import type { Limits, Runtime } from '#transcripts';
import type { ToolHooks } from '../hooks/tool-hooks.js';
import type { ToolRegistry } from '../mcp/bind-registry.js';
import { isMcpLiveTool } from '../mcp/mcp-tool.js';
import type { McpSession } from '../mcp/session-servers.js';
import type { ModelLimits } from '../models/context-window.js';
import type { Model } from '../models/model.js';
import type { Classifier } from '../permissions/classifier.js';
import type { OperatorRules } from '../permissions/permission-rules.js';
import type { Tool } from '../tools/tool.js';
import type { RunLog } from './run-log.js';

/** Everything that one run holds. Made when the claim is won, thrown away when the run ends; never shared. */
export interface RunContext {
  readonly log: RunLog;
  readonly runId: string;
  readonly epoch: number;
  readonly runtime: Runtime;
  /** Where its tools work: the project root, or the agent's working directory inside it. Absolute. */
  readonly folder: string;
  /** Replaced at a turn boundary when the registry changed, and only there. */
  bound: BoundSurface;
  readonly executors: ReadonlyMap<string, Tool>;
  readonly model: Model;
  readonly modelName: string;
  readonly limits: Required<Limits>;
  /** Aborted when the run must stop: cancelled, fenced, drained or over. */
  readonly signal: AbortSignal;
  /** Asked to stop at the next boundary: the worker is shutting down. */
  readonly draining: AbortSignal;
  readonly services: RunServices;
}

/** What a run borrows from its worker. */
export interface RunServices {
  readonly newId: () => string;
  readonly now: () => Date;
  /** What the processes of tools may know: no key of ours, no provider key. */
  readonly environment: Readonly<Record<string, string>>;
  /** The registry as far as it is known by now; waits for no server. */
  readonly currentTools: (session: McpSession) => ToolRegistry;
  /** Hears of each result that is dropped, because it came after its run was stopped. */
  readonly onLateResult: (tenant: string) => void;
  /** Around each call, from the server's configuration. */
  readonly hooks: ToolHooks;
  /** The operator's permission rules, beside the session's own. */
  readonly operatorRules: OperatorRules;
  /** Real paths of the operator's file and of what its hooks run: protected wherever they lie. */
  readonly guardedFiles: readonly string[];
  /** Null where none is configured: a person is asked instead. */
  readonly classifier: Classifier | null;
  /** Milliseconds until an unanswered approval is denied. */
  readonly approvalExpiryMs: number;
  readonly modelLimits: (model: string) => ModelLimits;
  /** Null for a model without a price. */
  readonly price: (
    model: string,
    usage: { inputTokens: number; cachedTokens: number; cacheWriteTokens: number; outputTokens: number },
  ) => number | null;
}

/** The executor of a declared tool, if this process has one. */
export function executorOf(run: RunContext, tool: LiveTool): Tool | undefined {
  if ('name' in tool.identity) return run.executors.get(tool.identity.name);
  return isMcpLiveTool(tool) ? tool.executor : undefined;
}
