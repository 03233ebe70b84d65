import { createHash } from 'node:crypto';
import { type LaunchResult, type LaunchTools, prepareLaunch } from '#agents';
import { parseAgentCall } from '#policy';
import { agentDefinition } from './agent-definition.js';
import type { ResolvedCall, Tool, ToolCall, ToolResult } from './tool.js';

/**
 * The `agent` tool: the launch use case, asked by a model (spec 02 §1). Idempotent by caller, turn and index of the call, so
 * that a revived caller does not launch twice. With `run_in_background: false` the outcome becomes the result of the call, and
 * the caller is parked until then (spec 04 §5). Whether the caller may launch at all is read from its record, not from here.
 */
export function agentTool(tools: LaunchTools, workerId: string): Tool {
  const resolve = (call: ToolCall, earlier: string | null) => prepare(tools, { workerId, call, earlier });
  return {
    ...agentDefinition,
    resolve,
    execute: async (call) => {
      const resolved = await resolve(call, null);
      return resolved.ok ? resolved.execute() : { outcome: 'error', text: resolved.text };
    },
  };
}

interface Asked {
  readonly workerId: string;
  readonly call: ToolCall;
  readonly earlier: string | null;
}

async function prepare(tools: LaunchTools, { workerId, call, earlier }: Asked): Promise<ResolvedCall> {
  const { agentId, tenant, call: key, idempotencyKey, runId } = call.context;
  const prepared = await prepareLaunch(tools, {
    callerId: agentId,
    call: call.arguments,
    key,
    isHttp: false,
    snapshot: earlier,
    context: { actor: `agent:${agentId}`, tenant, causation: runId, correlation: workerId },
    idempotency: {
      key: `agent:${idempotencyKey}`,
      bodyHash: createHash('sha256').update(call.argumentsText).digest('hex'),
    },
  });
  if (!prepared.ok) return { ok: false, text: refusalText(prepared) };
  const { snapshot, launch } = prepared;
  return { ok: true, snapshot, execute: async () => resultOf(await launch(), isAwaited(call)) };
}

function resultOf(result: LaunchResult, awaited: boolean): ToolResult {
  return result.ok ? launched(result.agentId, awaited) : { outcome: 'error', text: refusalText(result) };
}

const refusalText = ({ rejection }: Extract<LaunchResult, { ok: false }>): string =>
  JSON.stringify({ error: rejection.message, code: rejection.code });

/** A launch that was accepted once has a call that can be read: also when it is found again. */
function isAwaited(call: ToolCall): boolean {
  const parsed = parseAgentCall(call.arguments);
  return parsed.ok && !parsed.value.background;
}

function launched(agentId: string, isAwaited: boolean): ToolResult {
  const text = launchedText(agentId);
  return isAwaited ? { outcome: 'ok', text, awaits: agentId } : { outcome: 'ok', text };
}

const launchedText = (agentId: string): string =>
  `Agent ${agentId} was launched and works in the background. Its outcome will be delivered to you as a message; do not wait for it and do not do its work yourself.`;
