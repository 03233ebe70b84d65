import { rawForm, wireName } from '#policy';
import type { AgentMeta, DecodedEvent, ReadEvent } from '#transcripts';
import type { HookEvent } from './hook.js';

/** What a hook is told of an agent, and the names of the tool that it is about, for the matcher. */
export interface AgentNotice {
  readonly event: HookEvent;
  readonly toolNames: readonly string[];
  readonly facts: Readonly<Record<string, unknown>>;
}

const starts = new Set(['SessionOpened', 'SessionReopened', 'AgentLaunched', 'AgentResumed']);
const stops = new Set(['SessionClosed', 'AgentCompleted', 'AgentFailed', 'AgentCancelled']);

/** The hook event that a recorded event is; null for one that no hook hears of. */
export function hookEventOf({ type }: ReadEvent): HookEvent | null {
  if (type === 'ApprovalRequested') return 'ApprovalRequested';
  if (starts.has(type)) return 'AgentStart';
  return stops.has(type) ? 'AgentStop' : null;
}

/** What is told of one event of an agent. Pure; `id` is the event's own, by which a hook knows what it was told before. */
export function agentNotice(event: DecodedEvent, meta: AgentMeta): AgentNotice | null {
  const hookEvent = hookEventOf(event);
  if (hookEvent === null) return null;
  const { id, recordedAt: at, tenant } = event.record;
  const facts = { id, at, agent: agentOf(meta), tenant, activation: meta.activation };
  switch (event.type) {
    case 'ApprovalRequested': {
      const { approvalId, tool, arguments: args, expiresInMs } = event.data;
      const approval = {
        id: approvalId,
        tool: { name: wireName(tool), identity: tool },
        arguments: args,
        expiresInMs,
      };
      return { event: hookEvent, toolNames: [rawForm(tool), wireName(tool)], facts: { ...facts, approval } };
    }
    case 'AgentCompleted':
    case 'AgentFailed':
    case 'AgentCancelled': {
      const { outcome, activation } = event.data;
      return { event: hookEvent, toolNames: [], facts: { ...facts, activation, outcome } };
    }
    default:
      return { event: hookEvent, toolNames: [], facts };
  }
}

function agentOf({ agentId, kind, launch, title }: AgentMeta) {
  return {
    id: agentId,
    kind,
    sessionId: launch?.sessionId ?? agentId,
    parentId: launch?.parentId ?? null,
    description: launch?.description ?? title ?? '',
  };
}
