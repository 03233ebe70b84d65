import { counted } from './counted.js';
import { didYouMean, REGISTRY_NAMES } from '#policy';
import { type EntryMatches } from './entry-matches.js';
import { formatTable, visible } from './format-table.js';
import type { EvaluationAnswer } from './policy-answers.js';
import type { Paint } from './terminal.js';

/** An evaluation as tables for people. */
export function printEvaluation(
  { policy, surface, withheld, decisions }: EvaluationAnswer,
  matches: readonly EntryMatches[],
  paint: Paint,
): string {
  return [
    summaryOf(policy),
    matches.length === 0 ? '' : `\n${formatTable(['ENTRY', 'MATCHES'], matches.map(matchRow))}`,
    notesOn(matches, surface),
    decisions.length === 0
      ? ''
      : `\n${formatTable(
          ['CALL', 'REASON', 'DECISION'],
          decisions.map(({ call, reason, allowed }) => [call, reason ?? '', allowed ? 'allowed' : 'refused']),
        ).replace(/(allowed|refused)$/gm, (word) =>
          word === 'allowed' ? paint.good(word) : paint.bad(word),
        )}`,
    withheld.length === 0
      ? ''
      : `\n${formatTable(
          ['WITHHELD', 'REASON'],
          withheld.map(({ wireName, reason }) => [wireName, reason]),
        )}`,
  ].join('');
}

/** A list may name tools that come later, so an entry without a tool is no fault of the list; it may be a slip of the pen. */
function notesOn(matches: readonly EntryMatches[], surface: EvaluationAnswer['surface']): string {
  const names = surface.map(({ wireName }) => wireName);
  const notes = matches
    .filter((match) => match.matches.length === 0)
    .map(({ entry }) => {
      const meant = REGISTRY_NAMES.get(entry) ?? didYouMean(entry, names);
      const hint = meant === null ? '.' : `; did you mean ${meant}?`;
      return `${visible(entry)}: matches no known tool${hint} A launch accepts it: a tool that comes later may match.\n`;
    });
  return notes.length === 0 ? '' : `\n${notes.join('')}`;
}

function summaryOf(policy: EvaluationAnswer['policy']): string {
  if (policy.kind === 'unrestricted') return 'No list: nothing is restricted but by mode and kind.\n';
  const { length } = policy.entries;
  if (length === 0) return 'The empty list: every tool is denied.\n';
  return `The list is sound: ${counted(length, 'entry', 'entries')}.\n`;
}

const matchRow = ({ entry, matches }: EntryMatches): readonly string[] => {
  const shown = matches.slice(0, 5).join(', ');
  if (matches.length === 0) return [entry, '(nothing)'];
  return [entry, matches.length > 5 ? `${shown} and ${matches.length - 5} more` : shown];
};
