import {
  decodeEvent,
  firstEventPages,
  type LogPlace,
  type RecordedEvent,
  type TranscriptStore,
} from '#transcripts';

/** A session with every agent below it, parents first, each as long as it was at the cut. */
export interface TreeOutline {
  readonly root: string;
  readonly agents: readonly { readonly agentId: string; readonly events: number }[];
}

interface Placed {
  readonly agentId: string;
  readonly depth: number;
  readonly events: number;
}

/**
 * The trees of the log as it stood at `cut`, oldest first: what an agent refers to was recorded before, so the cut holds it too. Found from
 * the log alone, without any projection. `sessionId` narrows to one tree.
 */
export async function outlineTrees(
  store: TranscriptStore,
  cut: LogPlace,
  sessionId: string | null,
): Promise<readonly TreeOutline[]> {
  const trees = new Map<string, Placed[]>();
  for await (const firsts of firstEventPages(store, sessionId ?? '')) {
    const placed = firsts.map(standing).filter(({ root }) => sessionId === null || root === sessionId);
    const versions = await store.versionsAt(
      placed.map(({ agentId }) => agentId),
      cut,
    );
    for (const { root, agentId, depth } of placed) {
      const events = versions.get(agentId);
      if (events === undefined) continue;
      const agents = trees.get(root) ?? [];
      agents.push({ agentId, depth, events });
      trees.set(root, agents);
    }
  }
  return [...trees]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([root, agents]) => ({ root, agents: agents.toSorted(parentsFirst).map(withoutDepth) }));
}

/** Where an agent stands. A first event that cannot be read stands for itself: it is exported, never left out. */
function standing(first: RecordedEvent) {
  const event = decodeEvent(first);
  const agentId = first.stream;
  if (event.type !== 'AgentLaunched') return { agentId, root: agentId, depth: 0 };
  return { agentId, root: event.data.sessionId, depth: event.data.depth };
}

const parentsFirst = (a: Placed, b: Placed): number => a.depth - b.depth || (a.agentId < b.agentId ? -1 : 1);

const withoutDepth = ({ agentId, events }: Placed) => ({ agentId, events });
