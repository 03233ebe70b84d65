import {
  allFirstEvents,
  decodeEvent,
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
  for await (const first of allFirstEvents(store, sessionId ?? '')) {
    const { root, depth } = standing(first);
    if (sessionId !== null && root !== sessionId) continue;
    const events = await store.versionAt(first.stream, cut);
    if (events === 0) continue;
    const agents = trees.get(root) ?? [];
    agents.push({ agentId: first.stream, depth, events });
    trees.set(root, agents);
  }
  return [...trees]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([root, agents]) => ({ root, agents: agents.toSorted(parentsFirst).map(withoutDepth) }));
}

/** Where an agent stands. A first event that cannot be read stands for itself: it is exported, never left out. */
function standing(first: RecordedEvent): { readonly root: string; readonly depth: number } {
  const event = decodeEvent(first);
  if (event.type !== 'AgentLaunched') return { root: first.stream, depth: 0 };
  return { root: event.data.sessionId, depth: event.data.depth };
}

const parentsFirst = (a: Placed, b: Placed): number => a.depth - b.depth || (a.agentId < b.agentId ? -1 : 1);

const withoutDepth = ({ agentId, events }: Placed) => ({ agentId, events });
