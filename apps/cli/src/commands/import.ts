import type { Command } from 'commander';
import { createReadStream } from 'node:fs';
import { access, constants } from 'node:fs/promises';
import { childEnvironment, loadConfig, newId } from '#platform';
import { createPool, importFile, type ImportReport } from '#transcripts';
import { withDatabase } from '../database/with-database.js';
import { withLog } from '../database/with-log.js';
import { answerPerson, type ExitCode } from '../policy/answer-person.js';
import { print, printJson } from '../policy/terminal.js';
import { UsageError } from '../policy/usage-error.js';
import { printImport } from '../transfer/print-import.js';
import { builtPrograms } from '../up/programs.js';
import { runMigrations } from '../up/run-migrations.js';

const examples = `
Every session is taken with all its agents, or not at all. What is here already with the same content is left alone; an id that
stands for other content refuses its session. Of a torn file everything before the tear is taken, and what was lost is listed.
Exit codes: 0 everything in the file is here, 1 something was refused or lost, 2 nothing could be read or written.

Examples:
  $ offshoot import log.jsonl
  $ DATABASE_URL=postgres://… offshoot import log.jsonl --json
`;

/** `offshoot import`: takes what `offshoot export` wrote into this database. */
export function registerImport(program: Command): void {
  program
    .command('import')
    .description('take sessions and all their agents from a file that "offshoot export" wrote')
    .argument('<file>', 'the file')
    .option('--json', 'print JSON')
    .addHelpText('after', examples)
    .action((file: string, flags: { json?: boolean }) =>
      answerPerson(flags.json === true, () => importLog(file, flags.json === true)),
    );
}

async function importLog(file: string, isJson: boolean): Promise<ExitCode> {
  await access(file, constants.R_OK).catch((cause: unknown) => {
    throw new UsageError(`The file ${file} cannot be read.`, { cause });
  });
  return withDatabase(loadConfig(), 'any', async (databaseUrl) => {
    await runMigrations(builtPrograms().migrate, childEnvironment({ DATABASE_URL: databaseUrl }), 'ignore');
    const report = await takeIn(databaseUrl, file);
    if (isJson) printJson(report);
    else print(printImport(report));
    return isWhole(report) ? 0 : 1;
  });
}

function takeIn(databaseUrl: string, file: string): Promise<ImportReport> {
  return withLog(databaseUrl, async ({ store }) => {
    const pool = createPool({ url: databaseUrl, max: 2, applicationName: 'offshoot-import' });
    try {
      return await importFile({ store, pool, newId }, () => createReadStream(file));
    } finally {
      await pool.end();
    }
  });
}

const isWhole = ({ tear, trees }: ImportReport): boolean =>
  tear === null && trees.every(({ outcome }) => outcome === 'imported' || outcome === 'present');
