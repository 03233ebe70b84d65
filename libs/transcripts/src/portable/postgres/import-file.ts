import type { Pool } from 'pg';
import type { TranscriptStore } from '../../store/transcript-store.js';
import { splitLines } from '../split-lines.js';
import { type FileSurvey, surveyFile, type SurveyedTree, type Tear } from '../survey-file.js';
import { TreeEvents } from '../tree-events.js';
import { planTree, type TreePlan } from '../plan-tree.js';
import { BootstrapMissingError, recordTree } from './record-tree.js';

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
  const events = new TreeEvents(splitLines(open()), survey.tear?.line ?? Infinity);
  const trees: TreeReport[] = [];
  for (const [index, tree] of survey.trees.entries()) {
    const plan = await planTree(tools.store, tree, isTorn(survey, index));
    const report = reportOf(tree, plan, await carryOut(tools, plan, events, index));
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

async function carryOut(
  tools: ImportTools,
  plan: TreePlan,
  events: TreeEvents,
  index: number,
): Promise<Refusal | null> {
  if (plan.kind !== 'record') return null;
  try {
    const { upTo, torn } = plan;
    await recordTree(tools.pool, { pages: events.of(index), upTo, torn, newId: tools.newId });
    return null;
  } catch (thrown) {
    if (thrown instanceof BootstrapMissingError) return thrown;
    if (isTaken(thrown)) return { code: 'AGENT_EXISTS', message: 'An agent of it came to be meanwhile.' };
    throw thrown;
  }
}

/** unique_violation */
const isTaken = (thrown: unknown): boolean =>
  thrown instanceof Error && 'code' in thrown && thrown.code === '23505';

function reportOf(tree: SurveyedTree, plan: TreePlan, refusal: Refusal | null): TreeReport {
  const refused = refusal ?? (plan.kind === 'refuse' ? plan : null);
  const lost = plan.kind === 'record' ? plan.lost : [];
  const taken =
    plan.kind === 'record' ? [...plan.upTo.values()] : tree.agents.map(({ head }) => head.version);
  const size = { agents: taken.length, events: taken.reduce((sum, count) => sum + count, 0) };
  if (refused !== null) {
    const { code, message } = refused;
    return { root: tree.root, outcome: 'refused', code, message, ...size, lost };
  }
  if (plan.kind === 'present') return { root: tree.root, outcome: 'present', ...size, lost };
  return { root: tree.root, outcome: lost.length > 0 ? 'recovered' : 'imported', ...size, lost };
}
