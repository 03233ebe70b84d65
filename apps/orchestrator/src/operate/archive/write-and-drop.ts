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
  const written = await writeArchive({
    ...{ path, writer: lock.writer, heads: tree.heads, replaces: before === 'earlier' },
    lines: exportOutlines(store, [tree.outline]),
    mayName: async () => {
      await lock.assertHeld();
      // An archiving of another database may have put its own there meanwhile.
      return before === 'absent' || (await standing(store, path, tree.heads)) === 'earlier';
    },
  });
  if ('unlike' in written) return [{ reason: KeepReason.fileUnverified, subject: written.unlike }];
  if ('isTaken' in written) return [{ reason: KeepReason.fileExists, subject: path }];
  await lock.assertHeld();
  const dropped = await dropTree(drop, { ...tree, lookedUpTo });
  if (dropped.ok) return [];
  if (before === 'absent' && (await lock.isInLog(tree.heads))) await removeArchive(written.held);
  return [{ reason: dropped.reason, subject: dropped.subject }];
}
