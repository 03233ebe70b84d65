import { type FaultyEvent, isSound, type TranscriptStore } from '#transcripts';
import type { TreeOutline } from './outline-trees.js';
import { type ExportSource, ReadAhead } from './read-ahead.js';

/** An event of a tree is not what was recorded: the tree cannot be written down. */
export class StreamDamagedError extends Error {
  readonly code = 'STREAM_DAMAGED';
  readonly stream: string;
  constructor({ stream, version, fault }: FaultyEvent) {
    super(`The stream of agent ${stream} does not verify at version ${version}: ${fault}.`);
    this.stream = stream;
  }
}

/** A tree that is left out of a file, with the first event of it that is not what was recorded. */
export interface LeftOutTree {
  readonly root: string;
  readonly agentId: string;
  readonly version: number;
  readonly fault: FaultyEvent['fault'];
}

/** The trees of which every event is what was recorded, and the others. Each is read once; memory holds a page. */
export async function wholeTrees(
  store: TranscriptStore,
  trees: readonly TreeOutline[],
): Promise<{ readonly whole: readonly TreeOutline[]; readonly leftOut: readonly LeftOutTree[] }> {
  const source = new ReadAhead(
    store,
    trees.flatMap(({ agents }) => agents),
  );
  const whole: TreeOutline[] = [];
  const leftOut: LeftOutTree[] = [];
  for (const tree of trees) {
    const damage = await damageOf(source, tree);
    if (damage === null) whole.push(tree);
    else
      leftOut.push({ root: tree.root, agentId: damage.stream, version: damage.version, fault: damage.fault });
  }
  return { whole, leftOut };
}

async function damageOf(source: ExportSource, { agents }: TreeOutline): Promise<FaultyEvent | null> {
  for (const { agentId, events } of agents) {
    const damage = await firstFault(source, agentId, events);
    if (damage !== null) return damage;
  }
  return null;
}

async function firstFault(source: ExportSource, stream: string, upTo: number): Promise<FaultyEvent | null> {
  for (let after: number | null = 0; after !== null && after < upTo;) {
    const { events, next } = await source.readStream(stream, after);
    const found = events.find((event) => !isSound(event));
    if (found !== undefined && !isSound(found)) return found.version <= upTo ? found : null;
    after = next;
  }
  return null;
}
