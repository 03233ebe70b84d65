import { createHash } from 'node:crypto';
import { launchAgent, type LaunchTools, UnreadableBoundsError } from '#agents';
import { parseAgentCall } from '#policy';
import { agentDefinition } from './agent-definition.js';
import type { Tool, ToolCall, ToolResult } from './tool.js';

/**
 * The `agent` tool: the launch use case, asked by a model (spec 02 §1). Idempotent by caller, turn and index of the call, so
 * that a revived caller does not launch twice. With `run_in_background: false` the outcome becomes the result of the call, and
 * the caller is parked until then (spec 04 §5). Whether the caller may launch at all is read from its record, not from here.
 */
export function agentTool(tools: LaunchTools, workerId: string): Tool {
  return { ...agentDefinition, execute: (call) => launch(tools, workerId, call) };
}

async function launch(tools: LaunchTools, workerId: string, call: ToolCall): Promise<ToolResult> {
  const { agentId, tenant, call: key, idempotencyKey } = call.context;
  const bodyHash = createHash('sha256').update(call.argumentsText).digest('hex');
  try {
    const result = await launchAgent(tools, {
      callerId: agentId,
      call: call.arguments,
      key,
      isHttp: false,
      context: { actor: `agent:${agentId}`, tenant, causation: call.context.runId, correlation: workerId },
      idempotency: { key: `agent:${idempotencyKey}`, bodyHash },
    });
    if (result.ok) return launched(result.agentId, isAwaited(call));
    const { code, message } = result.rejection;
    return { outcome: 'error', text: JSON.stringify({ error: message, code }) };
  } catch (thrown) {
    if (thrown instanceof UnreadableBoundsError) return { outcome: 'error', text: thrown.message };
    throw thrown;
  }
}

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
