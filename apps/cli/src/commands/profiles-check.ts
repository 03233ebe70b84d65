import { resolve } from 'node:path';
import type { Command } from 'commander';
import { loadConfig, loadOperatorConfig } from '#platform';
import { answerPerson, type ExitCode } from '../policy/answer-person.js';
import { checkProfiles } from '../policy/check-profiles.js';
import { commandGroup } from '../policy/command-group.js';
import { printProfiles } from '../policy/print-profiles.js';
import { paintFor, print, printJson } from '../policy/terminal.js';

const examples = `
Exit codes: 0 all profiles are sound, 1 at least one is bad, 2 there is no such folder.

The folder of the profiles is that of the file that OFFSHOOT_CONFIG names, else .qwen/fork-profiles.

Examples:
  $ offshoot profiles check
  $ offshoot profiles check ~/src/app --json
`;

/** `offshoot profiles check`: an offline linter of a project's fork profiles. */
export function registerProfilesCheck(program: Command): void {
  commandGroup(program, 'profiles', 'work on fork profiles')
    .command('check')
    .description('check every profile file of a project, as a launch would read it')
    .argument('[folder]', 'the project root', '.')
    .option('--json', 'print JSON')
    .addHelpText('after', examples)
    .action((folder: string, flags: { json?: boolean }) =>
      answerPerson(flags.json === true, () => check(folder, flags.json === true)),
    );
}

async function check(folder: string, isJson: boolean): Promise<ExitCode> {
  const checked = await checkProfiles(
    resolve(folder),
    loadOperatorConfig(loadConfig().configFile).profileFolder,
  );
  if (isJson) printJson(checked);
  else print(printProfiles(checked, paintFor(process.stdout.isTTY)));
  return checked.profiles.every(({ ok }) => ok) ? 0 : 1;
}
