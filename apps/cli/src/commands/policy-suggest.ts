import type { Command } from 'commander';
import { findServer } from '../api/find-server.js';
import { answerPerson, type ExitCode } from '../policy/answer-person.js';
import { commandGroup } from '../policy/command-group.js';
import type { SuggestionAnswer } from '../policy/policy-answers.js';
import { printSuggestion } from '../policy/print-suggestion.js';
import { print, printJson } from '../policy/terminal.js';

const examples = `
Exit codes: 0 here is the list, 2 there is none (no such agent, not ended, no server).

Examples:
  $ offshoot policy suggest 01890000-0000-7000-8000-000000000001
  $ offshoot policy suggest 01890000-0000-7000-8000-000000000001 --json | jq .fork_tools > tools.json
`;

/** `offshoot policy suggest`: the least list that a finished agent needed. */
export function registerPolicySuggest(program: Command): void {
  commandGroup(program, 'policy', 'ask what a tool list permits')
    .command('suggest')
    .description('the least tool list that a finished agent needed, and what each entry was used for')
    .argument('<agentId>', 'an agent that has ended')
    .option('--json', 'print JSON')
    .addHelpText('after', examples)
    .action((agentId: string, flags: { json?: boolean }) =>
      answerPerson(flags.json === true, () => suggest(agentId, flags.json === true)),
    );
}

async function suggest(agentId: string, isJson: boolean): Promise<ExitCode> {
  const api = await findServer();
  const answer = await api.post<SuggestionAnswer>('/v1/policy/suggest', { agentId });
  if (isJson) printJson(answer);
  else print(printSuggestion(answer));
  return 0;
}
