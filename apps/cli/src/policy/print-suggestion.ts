import { formatTable } from './format-table.js';
import type { SuggestionAnswer } from './policy-answers.js';

type Use = SuggestionAnswer['unneeded'][number];

/** A suggestion as tables for people, and the list as a launch takes it. */
export function printSuggestion(answer: SuggestionAnswer): string {
  const { status, fork_tools, uses, unneeded, unnameable, refused, refusedCalls } = answer;
  return [
    `The agent has ${status === 'completed' ? status : `ended as ${status}`}. It needed ${fork_tools.length} ${fork_tools.length === 1 ? 'tool' : 'tools'}:\n`,
    `fork_tools: ${JSON.stringify(fork_tools)}\n`,
    table(
      ['ENTRY', 'CALLS', 'OUTCOMES'],
      uses.map((use) => [use.entry, String(use.calls), outcomesOf(use)]),
    ),
    table(['NOT NEEDED', 'CALLS', 'OUTCOMES'], unneeded.map(useRow)),
    table(['NO ENTRY CAN NAME', 'CALLS', 'OUTCOMES'], unnameable.map(useRow)),
    table(
      [`REFUSED (${refusedCalls})`, 'CALLS', 'REASON'],
      refused.map(({ name, calls, reason }) => [name, String(calls), reason]),
    ),
  ].join('');
}

const table = (headings: readonly string[], rows: readonly (readonly string[])[]): string =>
  rows.length === 0 ? '' : `\n${formatTable(headings, rows)}`;

const useRow = (use: Use): readonly string[] => {
  const name = 'name' in use.tool ? use.tool.name : `${use.tool.server}/${use.tool.tool}`;
  return [name, String(use.calls), outcomesOf(use)];
};

const outcomesOf = ({ outcomes }: Use): string =>
  Object.entries(outcomes)
    .map(([outcome, count]) => `${count} ${outcome}`)
    .join(', ');
