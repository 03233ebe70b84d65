import type { Command } from 'commander';
import { withKeys } from '../keys/with-keys.js';
import { OperationRefusedError } from '../database/operation-refused-error.js';
import { answerPerson, type ExitCode } from '../policy/answer-person.js';
import { commandGroup } from '../policy/command-group.js';
import { visible } from '../policy/format-table.js';
import { print, printJson } from '../policy/terminal.js';
import { UsageError } from '../policy/usage-error.js';

const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

const examples = `
From now on no orchestrator takes the key, event streams that it opened are ended, and dashboards that were opened with it are shut. That
reaches them within milliseconds, and within a second where the message is lost. A key that was revoked stays in the list.
Exit codes: 0 the key is revoked (also when it was before), 2 it is not.

Examples:
  $ offshoot keys revoke 01890000-0000-7000-8000-000000000001
  $ offshoot keys list --json | jq -r '.keys[] | select(.name == "ci") | .id' | xargs -n 1 offshoot keys revoke
`;

/** `offshoot keys revoke`: ends a key for good. */
export function registerKeysRevoke(program: Command): void {
  commandGroup(program, 'keys', 'make, list and revoke API keys')
    .command('revoke')
    .description('end an API key, at once and for good')
    .argument('<id>', 'its id, as "offshoot keys list" shows it')
    .option('--json', 'print JSON')
    .addHelpText('after', examples)
    .action((id: string, flags: { json?: boolean }) =>
      answerPerson(flags.json === true, () => revoke(id, flags.json === true)),
    );
}

async function revoke(id: string, isJson: boolean): Promise<ExitCode> {
  if (!uuid.test(id))
    throw new UsageError(
      'Give the id of the key, like 01890000-0000-7000-8000-000000000001; "offshoot keys list" shows it.',
    );
  const revocation = await withKeys('existing', (keys) => keys.revoke(id));
  if (revocation.outcome === 'unknown')
    throw new OperationRefusedError(
      'KEY_NOT_FOUND',
      `There is no key ${id}; "offshoot keys list" shows all.`,
    );
  const { key, outcome } = revocation;
  if (isJson) printJson({ ...key, outcome });
  else print(`Key ${key.id} ("${visible(key.name)}") of tenant ${key.tenant} ${words[outcome]}.\n`);
  return 0;
}

const words = { revoked: 'is revoked', 'already-revoked': 'was revoked before' } as const;
