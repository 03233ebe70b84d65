import type { Command } from 'commander';
import { operate } from '../database/operate.js';
import { answerPerson, type ExitCode } from '../policy/answer-person.js';
import { counted } from '../policy/counted.js';
import { commandGroup } from '../policy/command-group.js';
import { print, printJson } from '../policy/terminal.js';

const examples = `
The new tables are built beside the ones in service and swapped in at the end, while everything goes on. No work is done twice by it.
Exit codes: 0 it was rebuilt, 2 it was not.

Examples:
  $ offshoot projections rebuild
  $ offshoot projections rebuild agent-roster
`;

/** `offshoot projections rebuild`: read models built again from the log. */
export function registerProjectionsRebuild(program: Command): void {
  commandGroup(program, 'projections', 'work on the read models')
    .command('rebuild')
    .description('build read models again from the log, while everything runs')
    .argument('[name]', 'one of them (default: all)')
    .option('--json', 'print JSON')
    .addHelpText('after', examples)
    .action((name: string | undefined, flags: { json?: boolean }) =>
      answerPerson(flags.json === true, () => rebuild(name ?? null, flags.json === true)),
    );
}

async function rebuild(name: string | null, isJson: boolean): Promise<ExitCode> {
  const rebuilt = await operate<readonly { name: string; events: number }[]>({ operation: 'rebuild', name });
  if (isJson) printJson({ rebuilt });
  else print(rebuilt.map((one) => `Rebuilt ${one.name} from ${counted(one.events, 'event')}.\n`).join(''));
  return 0;
}
