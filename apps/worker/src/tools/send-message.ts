import { createHash } from 'node:crypto';
import { messageAgent } from '#agents';
import type { CommandTools } from '#transcripts';
import { sendMessageDefinition } from './conversation-definitions.js';
import { defineTool, failed } from './define-tool.js';
import { ownChild } from './own-child.js';
import type { Tool } from './tool.js';

interface Given {
  readonly agent_id: string;
  readonly message: string;
}

/**
 * The `send_message` tool (spec 04 §5). Keyed by caller, turn and index of the call, so that a message is accepted once although
 * the call may run again after a crash.
 */
export function sendMessageTool(tools: CommandTools): Tool {
  return defineTool<Given>(sendMessageDefinition, async ({ agent_id: childId, message }, context) => {
    const found = await ownChild(tools.store, childId, context);
    if (!found.ok) return found.result;
    const from = `agent:${context.agentId}`;
    const bodyHash = createHash('sha256')
      .update(JSON.stringify([childId, message]))
      .digest('hex');
    const sent = await messageAgent(tools, {
      agent: found.child,
      text: message,
      from,
      context: { actor: from, tenant: context.tenant, causation: context.runId },
      idempotency: { key: `message:${context.idempotencyKey}`, bodyHash },
    });
    return sent.ok ? { outcome: 'ok', text: acceptedText(childId) } : failed(sent.message);
  });
}

const acceptedText = (childId: string): string =>
  `The message was accepted. Agent ${childId} reads it between two of its steps, or goes on with it if it has ended; its outcome will be delivered to you as a message.`;
