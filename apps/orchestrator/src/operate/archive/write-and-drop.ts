import { exportOutlines } from '#agents';
import { dropTree, type DropTools, type Kept, KeepReason, type LogPlace } from '#transcripts';
import type { OperationTools } from '../operation-tools.js';
import { archivePath, removeArchive, standing, writeArchive } from './archive-file.js';
import type { ArchivingLock } from './archiving-lock.js';
import type { ConsideredTree } from './consider-tree.js';

export interface WriteAndDropTools {
  readonly store: OperationTools['tools']['store'];
  readonly drop: DropTools;
  readonly lock: ArchivingLock;
  readonly folder: string;
}

/**
 * Writes a tree to its file and takes it out of the database, or answers why not. A file that nothing was dropped for is removed again, but only when
 * the log is seen to hold all that it holds.
 */
export async function writeAndDrop(
  { store, drop, lock, folder }: WriteAndDropTools,
  tree: ConsideredTree,
  lookedUpTo: LogPlace,
): Promise<readonly Kept[]> {
  const path = archivePath(folder, tree.root);
  const before = await standing(store, path, tree.heads);
  if (before === 'other') return [{ reason: KeepReason.fileExists, subject: path }];
  const lines = exportOutlines(store, [tree.outline]);
  const wrong = await writeArchive({ path, lines, heads: tree.heads, mayName: () => lock.assertHeld() });
  if (wrong !== null) return [{ reason: KeepReason.fileUnverified, subject: wrong }];
  await lock.assertHeld();
  const dropped = await dropTree(drop, { ...tree, lookedUpTo });
  if (dropped.ok) return [];
  if (before === 'absent' && (await lock.isInLog(tree.heads))) await removeArchive(path);
  return [{ reason: dropped.reason, subject: dropped.subject }];
}
