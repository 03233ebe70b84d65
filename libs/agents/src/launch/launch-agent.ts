/**
 * The one way in which an agent comes to be, for HTTP, the MCP endpoint and the `agent` tool alike. The order is
 * fixed (spec 02 §1): the caller's record, the call's arguments, profile or definition, policy, prompt, one append.
 * Nothing exists before the append; everything exists after it.
 */
import { type AgentCall, parseAgentCall } from '#policy';
import {
  type AgentMeta,
  executeCommand,
  launchAgent as decideLaunch,
  launchRefusal,
  loadMeta,
} from '#transcripts';
import { launchFacts } from './launch-facts.js';
import type { LaunchRejection, LaunchRequest, LaunchResult, LaunchTools } from './launch-request.js';
import { parentSnapshot } from './parent-snapshot.js';
import { recordRefusal } from './record-refusal.js';
import { resolveLaunch } from './resolve-launch.js';

/** Launches an agent, or says why not. A refused launch leaves nothing but `LaunchRefused` on the caller's stream. */
export async function launchAgent(tools: LaunchTools, request: LaunchRequest): Promise<LaunchResult> {
  const caller = await loadMeta(tools.store, request.callerId);
  const call = parseAgentCall(request.call, { httpOnly: request.isHttp });
  if (!call.ok) return refuse(tools, request, caller, call.rejection);
  const guard = launchRefusal(caller, call.value.launch === 'fork' ? 'fork' : 'subagent', tools.maxDepth);
  if (guard !== null)
    return refuse(tools, request, caller, { code: guard.code, message: guard.message, offenders: [] });
  return launchResolved(tools, request, caller, call.value);
}

async function launchResolved(
  tools: LaunchTools,
  request: LaunchRequest,
  caller: AgentMeta,
  call: AgentCall,
): Promise<LaunchResult> {
  const parent = await parentSnapshot(tools.store, caller, request.key);
  const resolved = await resolveLaunch(call, parent, tools);
  if (!resolved.ok) return refuse(tools, request, caller, resolved.rejection);
  const agentId = tools.newId();
  const facts = launchFacts({
    agentId,
    call,
    parent,
    resolved: resolved.value,
    key: request.key,
    requested: request.call,
  });
  const result = await executeCommand(tools, {
    stream: agentId,
    context: request.context,
    decide: (meta) => decideLaunch(facts, meta),
    ...(request.idempotency === undefined ? {} : { idempotency: request.idempotency }),
  });
  if (!result.ok)
    return { ok: false, rejection: { code: result.code, message: result.message, offenders: [] } };
  const { duplicate } = result;
  if (duplicate === undefined) return { ok: true, agentId, isDuplicate: false, bodyHash: null };
  return { ok: true, agentId: duplicate.stream, isDuplicate: true, bodyHash: duplicate.bodyHash };
}

async function refuse(
  tools: LaunchTools,
  request: LaunchRequest,
  caller: AgentMeta,
  rejection: LaunchRejection,
): Promise<LaunchResult> {
  if (caller.status !== 'absent') await recordRefusal(tools, request, rejection);
  return { ok: false, rejection };
}
