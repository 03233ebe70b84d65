import { chmod, chown, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { describeAccount, type Account } from './account.js';
import { candidateAccounts } from './candidate-accounts.js';
import { EmbeddedPostgresError } from './embedded-postgres-error.js';
import { gatherAccountFacts } from './gather-account-facts.js';
import { runProgram } from './run-program.js';

/** What an account is tried with: the folder it must write, the program it must run. */
export interface AccountTrial {
  readonly cluster: string;
  /** The folder that holds, or will hold, the cluster (absolute, exists). */
  readonly folder: string;
  readonly postgres: string;
  readonly env: NodeJS.ProcessEnv;
}

const advice =
  'Set DATABASE_URL to a PostgreSQL 15 or newer, start as an ordinary user, or choose another OFFSHOOT_DATA_DIR.';

/**
 * The first account that can write the folder and run the server, tried for real. A new cluster's folder is
 * handed to that account. Throws `NO_ACCOUNT` with what was tried and what to do instead.
 */
export async function chooseAccount(trial: AccountTrial): Promise<Account> {
  const facts = await gatherAccountFacts(trial.cluster);
  const failures: string[] = [];
  for (const account of candidateAccounts(facts)) {
    const failure = await tryAccount(account, trial, !facts.clusterExists);
    if (failure === undefined) return account;
    failures.push(`${describeAccount(account)}: ${failure}`);
  }
  const tried =
    failures.length === 0
      ? `it belongs to user ${facts.owner.uid}, and this process is user ${facts.uid ?? 'unknown'}`
      : `tried ${failures.join('; ')}`;
  throw new EmbeddedPostgresError(
    'NO_ACCOUNT',
    `The embedded PostgreSQL cannot run on ${trial.folder} (PostgreSQL refuses to run as root): ${tried}. ${advice}`,
  );
}

async function tryAccount(
  account: Account,
  trial: AccountTrial,
  isNew: boolean,
): Promise<string | undefined> {
  const undo = account.kind === 'user' && isNew ? await handOver(trial.folder, account) : undefined;
  const script = 'cd "$1" && test -w . && exec "$2" --version';
  const end = await runProgram(account, ['sh', '-c', script, 'sh', trial.folder, trial.postgres], {
    cwd: trial.folder,
    env: trial.env,
    timeoutMs: 20_000,
  });
  if (end.code === 0) return undefined;
  await undo?.();
  return end.output.trim() || `the folder cannot be written (exit code ${end.code ?? 'none'})`;
}

/** The account gets the folder, and the right to pass through our data directory, whose files stay 0600. */
async function handOver(folder: string, account: { uid: number; gid: number }): Promise<() => Promise<void>> {
  const dataDir = dirname(folder);
  const { mode } = await stat(dataDir);
  await chown(folder, account.uid, account.gid);
  await chmod(dataDir, (mode & 0o7777) | 0o011);
  return async () => {
    await chmod(dataDir, mode & 0o7777);
    await chown(folder, 0, 0);
  };
}
