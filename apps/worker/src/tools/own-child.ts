import { type AgentMeta, isAgentId, loadMeta, type TranscriptStore } from '#transcripts';
import { failed } from './define-tool.js';
import type { ToolContext, ToolResult } from './tool.js';

export type OwnChild =
  { readonly ok: true; readonly child: AgentMeta } | { readonly ok: false; readonly result: ToolResult };

/**
 * The agent of this id, when the caller launched it itself: an agent reaches its own children and nobody else. The record of the
 * child decides; an agent of others is answered for like one that does not exist.
 */
export async function ownChild(
  store: TranscriptStore,
  childId: string,
  { agentId, tenant }: ToolContext,
): Promise<OwnChild> {
  const child = isAgentId(childId) ? await loadMeta(store, childId) : null;
  if (child?.launch?.parentId === agentId && child.tenant === tenant) return { ok: true, child };
  const text = `You launched no agent with the id ${JSON.stringify(childId)}. Accepted are the ids that your calls of agent returned.`;
  return { ok: false, result: failed(text) };
}
