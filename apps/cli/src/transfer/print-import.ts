import type { ImportReport, LostEvents, NamedBlob, Tear, TreeReport } from '#transcripts';
import { counted } from '../policy/counted.js';
import { formatTable, visible } from '../policy/format-table.js';

/** An import for people: what of it did not go as it should, then a summary. */
export function printImport({ trees, tear, lostTrees }: ImportReport): string {
  const odd = trees.filter(({ outcome }) => outcome === 'refused' || outcome === 'recovered');
  const rows = odd.map(({ root, outcome, code = '', message = '' }) => [root, outcome, code, message]);
  return [
    odd.length === 0 ? '' : `${formatTable(['SESSION', 'OUTCOME', 'CODE', 'WHY'], rows)}\n`,
    tear === null ? '' : tearText(tear, lostTrees),
    ...odd.flatMap((tree) => tree.lost.map((lost) => lostText(lost))),
    ...trees.flatMap((tree) => tree.lostBlobs.map((lost) => lostBlobText(lost))),
    takenText(trees),
    `${summary(trees)}\n`,
  ].join('');
}

const reasons: Readonly<Record<Tear['reason'], string>> = {
  cut: 'the line is cut',
  altered: 'the line is not what was written',
  not_a_record: 'the line is no record of an export',
  out_of_place: 'the record cannot stand there',
  ended_early: 'the file ends before its last record',
};

const tearText = ({ line, reason }: Tear, lostTrees: number): string =>
  `The file is torn at line ${line}: ${reasons[reason]}. Lost behind it: ${counted(lostTrees, 'session')}.\n`;

const lostText = ({ agentId, from, to }: LostEvents): string =>
  from === 1
    ? `Lost: all of ${counted(to, 'event')} of agent ${visible(agentId)}\n`
    : `Lost: events ${from} to ${to} of agent ${visible(agentId)}; it is blocked until somebody revives it\n`;

const lostBlobText = ({ agentId, version, hash }: NamedBlob): string =>
  `Lost: blob ${hash}, which version ${version} of agent ${visible(agentId)} names\n`;

function takenText(trees: readonly TreeReport[]): string {
  const taken = trees.flatMap((tree) => tree.takenKeys).length;
  if (taken === 0) return '';
  return `Idempotency keys that stand for other commands here: ${taken}. Sent again, those get the outcome that is here.\n`;
}

function summary(trees: readonly TreeReport[]): string {
  const count = (outcome: TreeReport['outcome']): number =>
    trees.filter((tree) => tree.outcome === outcome).length;
  const parts = [
    `${count('imported')} imported`,
    `${count('present')} here already`,
    `${count('recovered')} recovered in part`,
    `${count('refused')} refused`,
  ];
  return `${counted(trees.length, 'session')}: ${parts.join(', ')}.`;
}
