import type { Command } from 'commander';
import { createReadStream } from 'node:fs';
import { access, constants } from 'node:fs/promises';
import { importLegacyDir } from '#agents';
import { childEnvironment, loadConfig, newId } from '#platform';
import { createPool, importFile, type ImportReport, type TranscriptStore } from '#transcripts';
import { withDatabase } from '../database/with-database.js';
import { withLog } from '../database/with-log.js';
import { answerPerson, type ExitCode } from '../policy/answer-person.js';
import { print, printJson } from '../policy/terminal.js';
import { UsageError } from '../policy/usage-error.js';
import { printImport } from '../transfer/print-import.js';
import { printLegacy } from '../transfer/print-legacy.js';
import { builtPrograms } from '../up/programs.js';
import { runMigrations } from '../up/run-migrations.js';

const examples = `
Every session is taken with all its agents, or not at all. What is here already with the same content is left alone; an id that
stands for other content refuses its session. Of a torn file everything before the tear is taken, and what was lost is listed.
Exit codes: 0 everything in the file is here, 1 something was refused or lost, 2 nothing could be read or written.

Examples:
  $ offshoot import log.jsonl
  $ DATABASE_URL=postgres://… offshoot import log.jsonl --json
  $ offshoot import --legacy ~/.qwen/projects/app/subagents/4f1c --model openai:qwen3-coder-plus
`;

/** `offshoot import`: takes what `offshoot export` wrote into this database. */
export function registerImport(program: Command): void {
  program
    .command('import')
    .description('take sessions and all their agents from a file that "offshoot export" wrote')
    .argument('[file]', 'the file')
    .option(
      '--legacy <folder>',
      'instead: the forks of a folder of agent-<id>.meta.json and agent-<id>.jsonl',
    )
    .option('--model <model>', 'model of legacy agents that name none', 'openai:unknown')
    .option('--json', 'print JSON')
    .addHelpText('after', examples)
    .action((file: string | undefined, flags: ImportFlags) =>
      answerPerson(flags.json === true, () => importInto(file, flags)),
    );
}

interface ImportFlags {
  readonly legacy?: string;
  readonly model: string;
  readonly json?: boolean;
}

function importInto(
  file: string | undefined,
  { legacy, model, json = false }: ImportFlags,
): Promise<ExitCode> {
  if ((file === undefined) === (legacy === undefined))
    throw new UsageError('Say either the file, or --legacy <folder>.');
  return legacy === undefined ? importLog(file ?? '', json) : importLegacy(legacy, model, json);
}

async function importLegacy(folder: string, model: string, isJson: boolean): Promise<ExitCode> {
  await assertReadable(folder);
  return intoDatabase(async ({ store, pool }) => {
    const agents = await importLegacyDir({ store, pool, newId, tenant: 'default', model }, folder);
    if (isJson) printJson({ agents });
    else print(printLegacy(agents));
    return agents.every(({ outcome }) => outcome !== 'refused') ? 0 : 1;
  });
}

async function importLog(file: string, isJson: boolean): Promise<ExitCode> {
  await assertReadable(file);
  return intoDatabase(async ({ store, pool }) => {
    const report = await importFile({ store, pool, newId }, () => createReadStream(file));
    if (isJson) printJson(report);
    else print(printImport(report));
    return isWhole(report) ? 0 : 1;
  });
}

async function assertReadable(path: string): Promise<void> {
  await access(path, constants.R_OK).catch((cause: unknown) => {
    throw new UsageError(`${path} cannot be read.`, { cause });
  });
}

interface Target {
  readonly store: TranscriptStore;
  readonly pool: ReturnType<typeof createPool>;
}

/** Brings the schema of the database up to date, making the database where there is none, and works in it. */
function intoDatabase(work: (target: Target) => Promise<ExitCode>): Promise<ExitCode> {
  return withDatabase(loadConfig(), 'any', async (databaseUrl) => {
    await runMigrations(builtPrograms().migrate, {
      env: childEnvironment({ DATABASE_URL: databaseUrl }),
      output: 'ignore',
    });
    return withLog(databaseUrl, async ({ store }) => {
      const pool = createPool({ url: databaseUrl, max: 2, applicationName: 'offshoot-import' });
      try {
        return await work({ store, pool });
      } finally {
        await pool.end();
      }
    });
  });
}

const isWhole = ({ tear, trees }: ImportReport): boolean =>
  tear === null &&
  trees.every(
    ({ outcome, lostBlobs }) => lostBlobs.length === 0 && (outcome === 'imported' || outcome === 'present'),
  );
