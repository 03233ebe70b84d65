import { accepted, cancelAgent, type CommandTools, executeCommand, hasEnded } from '#transcripts';
import { taskStopDefinition } from './conversation-definitions.js';
import { defineTool, failed } from './define-tool.js';
import { ownChild } from './own-child.js';
import type { Tool } from './tool.js';

interface Given {
  readonly agent_id: string;
  readonly reason?: string;
}

/** The `task_stop` tool: cancels an agent that the caller launched. What it launched itself is cancelled after it. */
export function taskStopTool(tools: CommandTools): Tool {
  return defineTool<Given>(taskStopDefinition, async ({ agent_id: childId, reason }, context) => {
    const found = await ownChild(tools.store, childId, context);
    if (!found.ok) return found.result;
    const by = `agent:${context.agentId}`;
    const note = reason === undefined ? {} : { note: reason };
    const stopped = await executeCommand(tools, {
      stream: childId,
      from: found.child,
      context: { actor: by, tenant: context.tenant, causation: context.runId },
      evenDamaged: true,
      decide: (meta) =>
        hasEnded(meta) ? accepted() : cancelAgent({ by, reason: 'stopped_by_parent', ...note }, meta),
    });
    return stopped.ok ? { outcome: 'ok', text: stoppedText(childId) } : failed(stopped.message);
  });
}

const stoppedText = (childId: string): string =>
  `Agent ${childId} has ended. What it did until then is in its outcome, which is delivered to you as a message.`;
