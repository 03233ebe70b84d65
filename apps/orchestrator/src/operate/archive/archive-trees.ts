import { outlineTrees, StreamDamagedError, type TreeOutline } from '#agents';
import {
  BlobDamagedError,
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
import { archivePath } from './archive-file.js';
import { ArchiveFileFault } from './archive-file-fault.js';
import { ArchivingLock } from './archiving-lock.js';
import { type ConsideredTree, considerTree } from './consider-tree.js';
import { ForeignPointers } from './foreign-pointers.js';
import { treeColumns } from './tree-columns.js';
import { writeAndDrop } from './write-and-drop.js';

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
 * in the database. One archiving at a time works on a database; a dry run, which changes nothing, may go beside it. `onStep` is for specs.
 */
export function archiveTrees(
  operation: OperationTools,
  request: ArchiveRequest,
  onStep?: DropTools['onStep'],
): Promise<ArchiveReport> {
  if (request.isDryRun) return runOver(operation, request, null, onStep);
  return ArchivingLock.with(operation.databaseUrl, (lock) => runOver(operation, request, lock, onStep));
}

async function runOver(
  operation: OperationTools,
  request: ArchiveRequest,
  lock: ArchivingLock | null,
  onStep: DropTools['onStep'],
): Promise<ArchiveReport> {
  const { store } = operation.tools;
  const cut = await store.logEnd();
  const outlines = cut === null ? [] : await selectTrees(operation, cut, request.sessions);
  await assertFound(operation, outlines, request.sessions);
  const run = new ArchiveRun(operation, request, lock, onStep);
  if (cut !== null) await run.archive(outlines, cut);
  return run.report(lock === null ? 0 : await sweepBlobs(operation.pool));
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
    /** `null` in a dry run. */
    private readonly lock: ArchivingLock | null,
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
    const kept = await this.attempt(outline, lookedUpTo).catch(faultOfOneTree);
    if (kept.length > 0) this.kept.push({ root: outline.root, reasons: kept });
    this.operation.onProgress(`${this.archived.length} archived, ${this.kept.length} kept`);
  }

  private async attempt(outline: TreeOutline, lookedUpTo: LogPlace): Promise<readonly Kept[]> {
    const { pool, tools } = this.operation;
    const { endedBefore, folder } = this.request;
    const before = endedBefore === null ? null : Date.parse(endedBefore);
    const tree = await considerTree(tools.store, outline, before);
    if (tree.kept.length > 0) return tree.kept;
    const reader = await readerBehind(pool, this.drop.readers, tree.heads);
    if (reader !== null) return [{ reason: KeepReason.readerBehind, subject: reader }];
    const writing = { store: tools.store, drop: this.drop, folder };
    const kept =
      this.lock === null ? [] : await writeAndDrop({ ...writing, lock: this.lock }, tree, lookedUpTo);
    if (kept.length === 0) this.note(tree, this.lock === null);
    return kept;
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

/** What is wrong with one tree or its file keeps that tree; any other fault ends the run. */
function faultOfOneTree(thrown: unknown): readonly Kept[] {
  if (thrown instanceof BlobDamagedError)
    return [{ reason: KeepReason.fileUnverified, subject: `payload ${thrown.hash}` }];
  if (thrown instanceof StreamDamagedError)
    return [{ reason: KeepReason.fileUnverified, subject: thrown.stream }];
  if (thrown instanceof ArchiveFileFault) return [{ reason: KeepReason.fileFailed, subject: thrown.message }];
  throw thrown;
}
