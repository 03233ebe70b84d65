import type { Command } from 'commander';
import { defaultTenant, keyScopes, parseNewKeyRequest } from '#platform';
import { withKeys } from '../keys/with-keys.js';
import { answerPerson, type ExitCode } from '../policy/answer-person.js';
import { commandGroup } from '../policy/command-group.js';
import { visible } from '../policy/format-table.js';
import { print, printJson } from '../policy/terminal.js';
import { UsageError } from '../policy/usage-error.js';

interface CreateFlags {
  readonly name: string;
  readonly tenant: string;
  readonly scope: readonly string[];
  readonly json?: boolean;
}

const examples = `
The key is printed once and kept nowhere: only its hash is stored. Scopes, each with everything before it:
  observe  read agents, transcripts, approvals and event streams
  launch   open sessions, write to them, launch agents
  operate  steer agents, answer approvals and questions, change a session's runtime
  admin    everything of its tenant; of the tenant "${defaultTenant}" also what concerns the whole server
The key works in every orchestrator over the database, running or not, and sees nothing of other tenants.
Exit codes: 0 the key was made, 2 it was not.

Examples:
  $ offshoot keys create --name ci --scope launch
  $ offshoot keys create --name 'on call' --tenant acme --scope operate
  $ KEY=$(offshoot keys create --name dashboard --scope observe --json | jq -r .key)
  $ DATABASE_URL=postgres://… offshoot keys create --name first --scope admin
`;

/** `offshoot keys create`: a key of a tenant, with scopes. */
export function registerKeysCreate(program: Command): void {
  commandGroup(program, 'keys', 'make, list and revoke API keys')
    .command('create')
    .description('make an API key and print it once')
    .requiredOption('--name <name>', 'who or what it is for, to know it again in the list')
    .requiredOption('--scope <scope...>', `what it may do: ${keyScopes.join(', ')}`)
    .option('--tenant <tenant>', 'whose agents it sees', defaultTenant)
    .option('--json', 'print JSON')
    .addHelpText('after', examples)
    .action((flags: CreateFlags) => answerPerson(flags.json === true, () => create(flags)));
}

async function create({ name, tenant, scope, json }: CreateFlags): Promise<ExitCode> {
  const parsed = parseNewKeyRequest({ name, tenant, scopes: scope.flatMap((text) => text.split(',')) });
  if (!parsed.ok) throw new UsageError(parsed.message);
  const made = await withKeys('any', (keys) => keys.create(parsed.request));
  if (json === true) printJson(made);
  else {
    print(`${made.key}\n`);
    process.stderr.write(
      `Key ${made.id} ("${visible(made.name)}") of tenant ${made.tenant}: ${made.scopes.join(', ')}. It is shown this once.\n`,
    );
  }
  return 0;
}
