import type { Command } from 'commander';
import { operate } from '../database/operate.js';
import { answerPerson, type ExitCode } from '../policy/answer-person.js';
import { counted } from '../policy/counted.js';
import { formatTable } from '../policy/format-table.js';
import { print, printJson } from '../policy/terminal.js';

interface Examination {
  readonly agents: number;
  readonly events: number;
  readonly findings: readonly { readonly kind: string; readonly subject: string; readonly detail: string }[];
}

const examples = `
Verifies the hash chain of every transcript and what forks inherit, payloads, the read models against a fresh fold of the log, waiting agents
that nobody would send to a worker, checkpoints, the schema and the state after a restore. Changes nothing; everything may go on meanwhile.
Exit codes: 0 nothing was found, 1 something was, 2 it could not be found out.

Examples:
  $ offshoot doctor
  $ DATABASE_URL=postgres://… offshoot doctor --json
`;

/** `offshoot doctor`: is what the database holds what was recorded, and is everything in it looked after? */
export function registerDoctor(program: Command): void {
  program
    .command('doctor')
    .description('examine the log and everything that is kept beside it')
    .option('--json', 'print JSON')
    .addHelpText('after', examples)
    .action((flags: { json?: boolean }) =>
      answerPerson(flags.json === true, () => doctor(flags.json === true)),
    );
}

async function doctor(isJson: boolean): Promise<ExitCode> {
  const examination = await operate<Examination>({ operation: 'examine' });
  if (isJson) printJson(examination);
  else print(text(examination));
  return examination.findings.length === 0 ? 0 : 1;
}

/** A row is as long as its agent's summary: enough of it to recognise is shown, all of it is in the JSON. */
const shownCharacters = 160;

function text({ agents, events, findings }: Examination): string {
  const rows = findings.map(({ kind, subject, detail }) => [
    kind,
    subject,
    detail.length > shownCharacters ? `${detail.slice(0, shownCharacters)}…` : detail,
  ]);
  const seen = `${counted(events, 'event')} of ${counted(agents, 'agent')} ${events === 1 ? 'was' : 'were'} examined`;
  if (rows.length === 0) return `${seen}; nothing was found.\n`;
  return `${formatTable(['FINDING', 'SUBJECT', 'DETAIL'], rows)}\n${seen}; ${counted(rows.length, 'finding')}.\n`;
}
