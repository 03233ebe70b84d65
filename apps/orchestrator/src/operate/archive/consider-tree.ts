import type { TreeOutline } from '#agents';
import {
  type AgentMeta,
  type Kept,
  KeepReason,
  loadMeta,
  reasonsToKeep,
  type StreamHead,
  type TranscriptStore,
} from '#transcripts';

/** A tree as it was read for its judgement: what is written and dropped is exactly this. */
export interface ConsideredTree {
  readonly root: string;
  readonly tenant: string;
  readonly outline: TreeOutline;
  readonly heads: ReadonlyMap<string, StreamHead>;
  /** Empty when nothing in the tree itself keeps it. */
  readonly kept: readonly Kept[];
}

/** Folds a tree and judges it. The agents below a session that is open are not read. `endedBeforeMs` is a time, `null` is any. */
export async function considerTree(
  store: TranscriptStore,
  outline: TreeOutline,
  endedBeforeMs: number | null,
): Promise<ConsideredTree> {
  const session = await loadMeta(store, outline.root);
  const isOpen = session.kind === 'session' && session.runtime !== null && !session.closed;
  const below = outline.agents.filter(({ agentId }) => agentId !== outline.root);
  const agents = [session];
  for (const { agentId } of isOpen ? [] : below) agents.push(await loadMeta(store, agentId));
  const kept = reasonsToKeep(outline.root, agents);
  const isRecent =
    endedBeforeMs !== null && agents.some(({ updatedAt }) => Date.parse(updatedAt) >= endedBeforeMs);
  const recently = { reason: KeepReason.endedRecently, subject: outline.root };
  return {
    root: outline.root,
    tenant: session.tenant,
    outline: outlineOf(outline, agents),
    heads: new Map(agents.map(({ agentId, head }) => [agentId, head])),
    kept: kept.length === 0 && isRecent ? [recently] : kept,
  };
}

/** As long as what was folded, which may be longer than at the cut. */
function outlineOf({ root, agents }: TreeOutline, metas: readonly AgentMeta[]): TreeOutline {
  const lengths = new Map(metas.map(({ agentId, head }) => [agentId, head.version]));
  return {
    root,
    agents: agents.map(({ agentId, events }) => ({ agentId, events: lengths.get(agentId) ?? events })),
  };
}
