import { exportOutlines, outlineTrees, type TreeOutline } from '#agents';
import {
  dropTree,
  type DropTools,
  type Kept,
  KeepReason,
  type LogPlace,
  readerBehind,
  sweepBlobs,
} from '#transcripts';
import { readersWithEffects } from '../../lifecycle/log-readers.js';
import { projectionsOver } from '../../projections/projections.js';
import { OperationRefusedError } from '../operation-refused-error.js';
import type { OperationTools } from '../operation-tools.js';
import { archivePath, removeArchive, standing, writeArchive } from './archive-file.js';
import { type ConsideredTree, considerTree } from './consider-tree.js';
import { ForeignPointers } from './foreign-pointers.js';
import { treeColumns } from './tree-columns.js';

export interface ArchiveRequest {
  /** Where the files go, one for each session. */
  readonly folder: string;
  /** These sessions; `null` for every one. */
  readonly sessions: readonly string[] | null;
  /** Only what ended before this time, RFC 3339; `null` for any time. */
  readonly endedBefore: string | null;
  /** Say what would be done, and write and drop nothing. */
  readonly isDryRun: boolean;
}

export interface ArchivedTree {
  readonly root: string;
  /** Absent in a dry run. */
  readonly file?: string;
  readonly agents: number;
  readonly events: number;
}

export interface ArchiveReport {
  readonly archived: readonly ArchivedTree[];
  readonly kept: readonly { readonly root: string; readonly reasons: readonly Kept[] }[];
  /** Payloads that no event referred to any more. */
  readonly payloads: number;
}

/**
 * Archives ended trees while everything runs: writes each to a file, reads the file back, and takes the tree out of the database in one
 * transaction. A tree that is needed is kept, with every reason that is known. Wherever it is killed, a tree is in the database whole, or in a whole file and not
 * in the database. `onStep` is for specs.
 */
export async function archiveTrees(
  operation: OperationTools,
  request: ArchiveRequest,
  onStep?: DropTools['onStep'],
): Promise<ArchiveReport> {
  const { store } = operation.tools;
  const cut = await store.logEnd();
  const outlines = cut === null ? [] : await selectTrees(operation, cut, request.sessions);
  await assertFound(operation, outlines, request.sessions);
  const run = new ArchiveRun(operation, request, onStep);
  if (cut !== null) await run.archive(outlines, cut);
  return run.report(request.isDryRun ? 0 : await sweepBlobs(operation.pool));
}

async function selectTrees(
  { tools: { store } }: OperationTools,
  cut: LogPlace,
  sessions: readonly string[] | null,
): Promise<readonly TreeOutline[]> {
  const wanted = sessions === null ? null : new Set(sessions);
  const [only = null] = wanted?.size === 1 ? wanted : [];
  const outlines = await outlineTrees(store, cut, only);
  return wanted === null ? outlines : outlines.filter(({ root }) => wanted.has(root));
}

async function assertFound(
  { tools: { store } }: OperationTools,
  outlines: readonly TreeOutline[],
  sessions: readonly string[] | null,
): Promise<void> {
  const found = new Set(outlines.map(({ root }) => root));
  const missing = sessions?.find((session) => !found.has(session));
  if (missing === undefined) return;
  const isArchived = (await store.findArchived(missing)) !== null;
  const why = isArchived ? 'it was archived before' : 'an agent below a session is archived with it';
  throw new OperationRefusedError('SESSION_NOT_FOUND', `No session ${missing} is in this log; ${why}.`);
}

class ArchiveRun {
  private readonly archived: ArchivedTree[] = [];
  private readonly kept: ArchiveReport['kept'][number][] = [];
  private readonly gone = new Set<string>();
  private readonly drop: DropTools;

  constructor(
    private readonly operation: OperationTools,
    private readonly request: ArchiveRequest,
    onStep: DropTools['onStep'],
  ) {
    const projections = projectionsOver(operation.cache);
    const names = projections.map(({ name }) => name);
    this.drop = {
      pool: operation.pool,
      columns: treeColumns(projections),
      readers: [...names, ...readersWithEffects],
      projections: names,
      ...(onStep === undefined ? {} : { onStep }),
    };
  }

  report(payloads: number): ArchiveReport {
    return { archived: this.archived, kept: this.kept, payloads };
  }

  async archive(outlines: readonly TreeOutline[], cut: LogPlace): Promise<void> {
    const { pool, tools } = this.operation;
    const rootOf = new Map(
      outlines.flatMap(({ root, agents }) => agents.map(({ agentId }) => [agentId, root] as const)),
    );
    const pointers = await ForeignPointers.collect(pool, tools.store, rootOf, cut);
    // What inherits from a tree goes before it: trees that wait for others are looked at again as long as some go.
    for (let waiting = outlines, before = -1; waiting.length > 0 && this.archived.length > before;) {
      before = this.archived.length;
      waiting = await this.round(waiting, pointers);
      if (this.archived.length === before) for (const { root } of waiting) this.keepForHeir(root, pointers);
    }
  }

  /** Answers the trees that others still inherit from. */
  private async round(
    outlines: readonly TreeOutline[],
    pointers: ForeignPointers,
  ): Promise<readonly TreeOutline[]> {
    const waiting: TreeOutline[] = [];
    for (const outline of outlines) {
      await pointers.goOn();
      if (pointers.into(outline.root, this.gone) === null)
        await this.archiveOne(outline, pointers.lookedUpTo);
      else waiting.push(outline);
    }
    return waiting;
  }

  private async archiveOne(outline: TreeOutline, lookedUpTo: LogPlace): Promise<void> {
    const { endedBefore, isDryRun } = this.request;
    const tree = await considerTree(
      this.operation.tools.store,
      outline,
      endedBefore === null ? null : Date.parse(endedBefore),
    );
    const kept = tree.kept.length > 0 ? tree.kept : await this.attempt(tree, lookedUpTo, isDryRun);
    if (kept.length > 0) this.kept.push({ root: tree.root, reasons: kept });
    else this.note(tree, isDryRun);
    this.operation.onProgress(`${this.archived.length} archived, ${this.kept.length} kept`);
  }

  private async attempt(
    tree: ConsideredTree,
    lookedUpTo: LogPlace,
    isDryRun: boolean,
  ): Promise<readonly Kept[]> {
    const reader = await readerBehind(this.operation.pool, this.drop.readers, tree.heads);
    if (reader !== null) return [{ reason: KeepReason.readerBehind, subject: reader }];
    return isDryRun ? [] : this.writeAndDrop(tree, lookedUpTo);
  }

  private async writeAndDrop(tree: ConsideredTree, lookedUpTo: LogPlace): Promise<readonly Kept[]> {
    const { store } = this.operation.tools;
    const path = archivePath(this.request.folder, tree.root);
    const before = await standing(store, path, tree.heads);
    if (before === 'other') return [{ reason: KeepReason.fileExists, subject: path }];
    const wrong = await writeArchive(path, exportOutlines(store, [tree.outline]), tree.heads);
    if (wrong !== null) return [{ reason: KeepReason.fileUnverified, subject: wrong }];
    const dropped = await dropTree(this.drop, { ...tree, lookedUpTo });
    if (dropped.ok) return [];
    if (before === 'absent') await removeArchive(path);
    return [{ reason: dropped.reason, subject: dropped.subject }];
  }

  private note({ root, heads }: ConsideredTree, isDryRun: boolean): void {
    const events = [...heads.values()].reduce((sum, { version }) => sum + version, 0);
    const file = isDryRun ? {} : { file: archivePath(this.request.folder, root) };
    this.archived.push({ root, ...file, agents: heads.size, events });
    for (const agentId of heads.keys()) this.gone.add(agentId);
  }

  private keepForHeir(root: string, pointers: ForeignPointers): void {
    const subject = pointers.into(root, this.gone) ?? root;
    this.kept.push({ root, reasons: [{ reason: KeepReason.inheritedFrom, subject }] });
  }
}
