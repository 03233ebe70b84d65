import type { HookedCall } from '../hooks/tool-hooks.js';
import type { CheckedCall } from './checked-call.js';
import type { RunContext } from './run-context.js';

/** A call as hooks are told of it: who calls it, where, and with what. */
export function hookedCall(
  { call, tool, argumentsText, arguments: args }: CheckedCall,
  { log, runId, epoch, runtime, folder }: RunContext,
): HookedCall {
  const { agentId, kind, tenant, launch } = log.meta;
  const agent = {
    id: agentId,
    kind,
    sessionId: launch?.sessionId ?? agentId,
    parentId: launch?.parentId ?? null,
  };
  return {
    facts: { agent, tenant, runId, epoch, projectRoot: runtime.projectRoot, folder, call: call.key },
    tool,
    argumentsText,
    arguments: args,
  };
}
