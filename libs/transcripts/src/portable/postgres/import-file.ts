import type { Pool } from 'pg';
import type { TranscriptStore } from '../../store/transcript-store.js';
import { splitLines } from '../split-lines.js';
import { checkBlob } from '../../store/check-blob.js';
import { type FileSurvey, surveyFile, type Tear } from '../survey-file.js';
import { TreeRecords } from '../tree-records.js';
import type { NamedBlob, SurveyedTree } from '../tree-survey.js';
import { planTree, type TreePlan } from '../plan-tree.js';
import { BootstrapMissingError, recordTree, type TakenKey } from './record-tree.js';

export interface ImportTools {
  readonly store: TranscriptStore;
  /** Pool for the transactions; not the store's own. */
  readonly pool: Pool;
  readonly newId: () => string;
  /** Hears of each tree as it is done. */
  readonly onTree?: (tree: TreeReport) => void;
}

/**
 * `imported`: all of it is here now. `recovered`: what the torn file still held of it. `present`: it was here already. `refused`:
 * nothing of it was recorded, `code` and `message` say why.
 */
export interface TreeReport {
  readonly root: string;
  readonly outcome: 'imported' | 'recovered' | 'present' | 'refused';
  readonly agents: number;
  readonly events: number;
  readonly code?: string;
  readonly message?: string;
  /** What the tear took: events of agents that are here in part, and agents that are not here at all (from 1). */
  readonly lost: readonly LostEvents[];
  /** Blobs that its recorded events name and that are neither in the file nor here. */
  readonly lostBlobs: readonly NamedBlob[];
  /** Events of commands whose idempotency key another command has here: sent again, they get the outcome of that one. */
  readonly takenKeys: readonly TakenKey[];
}

export interface LostEvents {
  readonly agentId: string;
  readonly from: number;
  readonly to: number;
}

export interface ImportReport {
  readonly trees: readonly TreeReport[];
  readonly tear: Tear | null;
  /** Trees that the file announced and that the tear took whole. */
  readonly lostTrees: number;
}

/**
 * Takes the trees of a portable file into this log, each all or nothing. The file is read twice: once to judge it, once to record it.
 * Of a torn file everything before the tear is taken, and the report says what was lost. Throws when the file or the database
 * fails, or when the file is no portable file at all (`NotPortableError`).
 */
export async function importFile(
  tools: ImportTools,
  open: () => AsyncIterable<Uint8Array>,
): Promise<ImportReport> {
  const survey = await surveyFile(splitLines(open()));
  if (survey.logId === null) throw new NotPortableError(survey.tear);
  const records = new TreeRecords(splitLines(open()), survey.endLine);
  const trees: TreeReport[] = [];
  for (const [index, tree] of survey.trees.entries()) {
    const plan = await planTree(tools.store, tree, isTorn(survey, index));
    const done = await carryOut(tools, plan, records, index);
    const report = reportOf(tree, plan, { ...done, lostBlobs: await lostBlobs(tools.store, tree, plan) });
    tools.onTree?.(report);
    trees.push(report);
  }
  return { trees, tear: survey.tear, lostTrees: Math.max(0, survey.announcedTrees - survey.trees.length) };
}

/** The file does not begin as a portable file does. */
export class NotPortableError extends Error {
  readonly code = 'FILE_NOT_PORTABLE';
  constructor(tear: Tear | null) {
    super(
      `The file does not begin with a record of "offshoot export"${tear === null ? '' : ` (${tear.reason})`}.`,
    );
  }
}

/** Only the last tree can be cut: what follows a tear is not read. */
const isTorn = ({ trees, tear }: FileSurvey, index: number): boolean =>
  tear !== null && index === trees.length - 1;

interface Refusal {
  readonly code: string;
  readonly message: string;
}

interface Done {
  readonly refusal: Refusal | null;
  readonly takenKeys: readonly TakenKey[];
}

async function carryOut(
  tools: ImportTools,
  plan: TreePlan,
  records: TreeRecords,
  index: number,
): Promise<Done> {
  if (plan.kind !== 'record') return { refusal: null, takenKeys: [] };
  try {
    const { upTo, torn } = plan;
    const tree = { pages: records.of(index), upTo, torn, newId: tools.newId };
    return { refusal: null, takenKeys: await recordTree(tools.pool, tree) };
  } catch (thrown) {
    return { refusal: refusalOf(thrown), takenKeys: [] };
  }
}

/** What the database says that came to be meanwhile; everything else is thrown on. */
function refusalOf(thrown: unknown): Refusal {
  if (thrown instanceof BootstrapMissingError) return thrown;
  if (!isTaken(thrown)) throw thrown;
  return thrown.constraint === 'event_idempotency'
    ? { code: 'KEY_TAKEN', message: 'A command claimed an idempotency key of it meanwhile; import it again.' }
    : { code: 'AGENT_EXISTS', message: 'An agent of it came to be meanwhile.' };
}

/** unique_violation */
const isTaken = (thrown: unknown): thrown is Error & { readonly constraint?: string } =>
  thrown instanceof Error && 'code' in thrown && thrown.code === '23505';

/** Of the blobs that the file does not hold, those that are not here either. */
async function lostBlobs(
  store: TranscriptStore,
  tree: SurveyedTree,
  plan: TreePlan,
): Promise<readonly NamedBlob[]> {
  if (plan.kind === 'refuse') return [];
  const lost: NamedBlob[] = [];
  for (const named of tree.absentBlobs)
    if ((await checkBlob(store, named.hash)).kind !== 'whole') lost.push(named);
  return lost;
}

function reportOf(
  tree: SurveyedTree,
  plan: TreePlan,
  { refusal, ...rest }: Done & { readonly lostBlobs: readonly NamedBlob[] },
): TreeReport {
  const refused = refusal ?? (plan.kind === 'refuse' ? plan : null);
  const lost = plan.kind === 'record' ? plan.lost : [];
  const taken =
    plan.kind === 'record' ? [...plan.upTo.values()] : tree.agents.map(({ head }) => head.version);
  const size = { agents: taken.length, events: taken.reduce((sum, count) => sum + count, 0) };
  const facts = { root: tree.root, ...size, lost, ...rest };
  if (refused !== null) {
    const { code, message } = refused;
    return { ...facts, outcome: 'refused', code, message };
  }
  if (plan.kind === 'present') return { ...facts, outcome: 'present' };
  return { ...facts, outcome: lost.length > 0 ? 'recovered' : 'imported' };
}
