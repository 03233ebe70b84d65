import type { Command } from 'commander';
import type { StoredKey } from '#platform';
import { withKeys } from '../keys/with-keys.js';
import { answerPerson, type ExitCode } from '../policy/answer-person.js';
import { commandGroup } from '../policy/command-group.js';
import { formatTable } from '../policy/format-table.js';
import { print, printJson } from '../policy/terminal.js';

const examples = `
Every key that was ever made, the revoked ones too, oldest first. The admin key (OFFSHOOT_API_KEY, or that of the data directory) is not
among them. The last use is told to about a minute.
Exit codes: 0 the list was printed, 2 it could not be read.

Examples:
  $ offshoot keys list
  $ offshoot keys list --tenant acme --json
`;

/** `offshoot keys list`: who has which key. */
export function registerKeysList(program: Command): void {
  commandGroup(program, 'keys', 'make, list and revoke API keys')
    .command('list')
    .description('list the API keys, never the keys themselves')
    .option('--tenant <tenant>', 'those of one tenant')
    .option('--json', 'print JSON')
    .addHelpText('after', examples)
    .action((flags: { tenant?: string; json?: boolean }) =>
      answerPerson(flags.json === true, () => list(flags.tenant ?? null, flags.json === true)),
    );
}

async function list(tenant: string | null, isJson: boolean): Promise<ExitCode> {
  const keys = await withKeys('existing', (store) => store.list(tenant));
  if (isJson) printJson({ keys });
  else print(keys.length === 0 ? 'There are no keys.\n' : formatTable(headings, keys.map(cellsOf)));
  return 0;
}

const headings = ['ID', 'NAME', 'TENANT', 'SCOPES', 'CREATED', 'LAST USED', 'REVOKED'];

function cellsOf({ id, name, tenant, scopes, createdAt, lastUsedAt, revokedAt }: StoredKey): string[] {
  return [id, name, tenant, scopes.join(','), createdAt, lastUsedAt ?? 'never', revokedAt ?? ''];
}
