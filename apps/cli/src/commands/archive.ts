import type { Command } from 'commander';
import { resolve } from 'node:path';
import { isAgentId, KeepReason } from '#transcripts';
import { operate } from '../database/operate.js';
import { answerPerson, type ExitCode } from '../policy/answer-person.js';
import { print, printJson } from '../policy/terminal.js';
import { UsageError } from '../policy/usage-error.js';
import { type ArchiveAnswer, printArchive } from '../transfer/print-archive.js';

interface ArchiveFlags {
  readonly to?: string;
  readonly session?: readonly string[];
  readonly endedBefore?: string;
  readonly dryRun?: boolean;
  readonly json?: boolean;
}

const examples = `
Each session that was closed and has ended with all its agents is written to <folder>/<id>.jsonl, which is read back and checked, and is then taken out
of the database. "offshoot import" brings it back. What is still needed is kept, with the reason: something has not ended or was not told,
a reader of the log has not come past it, or an agent of another session inherits from it. Everything may go on meanwhile, but another archiving of the
same database: it is refused.
Exit codes: 0 what was asked for is archived, 1 a session that was named is kept, or any whose file failed, 2 it could not be done.

Examples:
  $ offshoot archive --to archives --ended-before 2026-01-31 --dry-run
  $ offshoot archive --to archives --ended-before 2026-01-31T00:00:00Z
  $ offshoot archive --to archives --session 01890000-0000-7000-8000-000000000001
`;

/** `offshoot archive`: ended sessions with all their agents, out of the database and into files. */
export function registerArchive(program: Command): void {
  program
    .command('archive')
    .description('move ended sessions and all their agents out of the database into files')
    .option('--to <folder>', 'where the files go, one for each session')
    .option('--session <id...>', 'these sessions')
    .option(
      '--ended-before <time>',
      'what ended before a date or time (ISO 8601; a date is its first moment in UTC)',
    )
    .option('--dry-run', 'say what would be archived and what is kept, and do nothing')
    .option('--json', 'print JSON')
    .addHelpText('after', examples)
    .action((flags: ArchiveFlags) => answerPerson(flags.json === true, () => archive(flags)));
}

async function archive(flags: ArchiveFlags): Promise<ExitCode> {
  const { session, json = false, dryRun: isDryRun = false } = flags;
  const operation = {
    operation: 'archive',
    folder: folderOf(flags),
    sessions: sessionsOf(flags),
    endedBefore: timeOf(flags),
    isDryRun,
  };
  const answer = await operate<ArchiveAnswer>(operation);
  if (json) printJson(answer);
  else print(printArchive(answer, isDryRun));
  return (session !== undefined && answer.kept.length > 0) || hasFailedFile(answer) ? 1 : 0;
}

/** Kept because of a fault, and not because it is needed. */
const hasFailedFile = ({ kept }: ArchiveAnswer): boolean =>
  kept.some(({ reasons }) =>
    reasons.some(({ reason }) => reason === KeepReason.fileFailed || reason === KeepReason.fileUnverified),
  );

function folderOf({ to, dryRun = false }: ArchiveFlags): string {
  if (to === undefined && !dryRun) throw new UsageError('Say --to <folder>: where the files are to go.');
  return resolve(to ?? '.');
}

function sessionsOf({ session, endedBefore }: ArchiveFlags): readonly string[] | null {
  if (session === undefined && endedBefore === undefined)
    throw new UsageError('Say --session <id>, --ended-before <time>, or both.');
  const odd = session?.find((id) => !isAgentId(id));
  if (odd !== undefined)
    throw new UsageError(`"${odd}" is no session id; one is like 01890000-0000-7000-8000-000000000001.`);
  return session ?? null;
}

const isoTime = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:\d{2}))?$/;

function timeOf({ endedBefore }: ArchiveFlags): string | null {
  if (endedBefore === undefined) return null;
  const time = isoTime.test(endedBefore) ? new Date(endedBefore) : null;
  if (time === null || Number.isNaN(time.getTime()))
    throw new UsageError(
      `"${endedBefore}" is no time; one is like 2026-01-31, or 2026-01-31T18:00:00Z with its time zone.`,
    );
  return time.toISOString();
}
