import { type PortableRecord, portableFormat, sealLine, type TranscriptStore } from '#transcripts';
import { outlineTrees, type TreeOutline } from './outline-trees.js';
import { ReadAhead } from './read-ahead.js';
import { treeRecords } from './tree-records.js';
import { type LeftOutTree, wholeTrees } from './whole-trees.js';

/** What an export holds when it is done. */
export interface ExportCounts {
  readonly trees: number;
  readonly agents: number;
  readonly events: number;
  /** Blobs that events name: those that are in the file, each once a tree, and those that were missing or damaged here. */
  readonly blobs: number;
  readonly lostBlobs: number;
  /** Trees that are not in the file, because an event of theirs is not what was recorded. */
  readonly leftOut: readonly LeftOutTree[];
}

/** There is no session of this id to export. */
export class SessionNotFoundError extends Error {
  readonly code = 'SESSION_NOT_FOUND';
}

/**
 * The lines of a portable file: trees of agents as the log stood at one place when the export began, while it goes on. A damaged tree is
 * left out whole and named in the answer; every tree is read once before the first line for that. Events are
 * written as they were recorded, with the blobs that they name; forks also get the history that they inherited, in full. Memory is
 * bounded by a page of events, two parts of a blob, the hashes of one tree's blobs and one inherited history. Throws `SessionNotFoundError` before the first line.
 */
export async function* exportTrees(
  store: TranscriptStore,
  sessionId: string | null,
): AsyncGenerator<string, ExportCounts> {
  const { whole, leftOut } = await wholeTrees(store, await treesOf(store, sessionId));
  const counts = yield* exportOutlines(store, whole);
  return { ...counts, leftOut };
}

/** The same for trees that were outlined before, each as long as its outline says. Throws `StreamDamagedError` where one is damaged. */
export async function* exportOutlines(
  store: TranscriptStore,
  trees: readonly TreeOutline[],
): AsyncGenerator<string, Omit<ExportCounts, 'leftOut'>> {
  yield line({
    record: 'export',
    format: portableFormat,
    logId: await store.logId(),
    trees: trees.length,
  });
  const blobs = { blobs: 0, lostBlobs: 0 };
  const source = new ReadAhead(
    store,
    trees.flatMap(({ agents }) => agents),
  );
  for (const tree of trees) {
    yield line({ record: 'tree', root: tree.root, agents: [...tree.agents] });
    for await (const record of treeRecords({ store, source }, tree, blobs)) yield line(record);
  }
  const counts = { trees: trees.length, ...sizeOf(trees) };
  yield line({ record: 'end', ...counts, blobs: blobs.blobs });
  return { ...counts, ...blobs };
}

function sizeOf(trees: readonly TreeOutline[]) {
  const agents = trees.flatMap((tree) => tree.agents);
  return { agents: agents.length, events: agents.reduce((sum, { events }) => sum + events, 0) };
}

async function treesOf(store: TranscriptStore, sessionId: string | null): Promise<readonly TreeOutline[]> {
  const cut = await store.logEnd();
  const trees = cut === null ? [] : await outlineTrees(store, cut, sessionId);
  if (sessionId !== null && trees.length === 0)
    throw new SessionNotFoundError(`No session ${sessionId} exists in this log.`);
  return trees;
}

const line = (record: PortableRecord): string => `${sealLine(record)}\n`;
