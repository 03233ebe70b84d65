import { type Command, Option } from 'commander';
import { exportTrees, type LeftOutTree } from '#agents';
import { loadConfig } from '#platform';
import { isAgentId } from '#transcripts';
import { withDatabase } from '../database/with-database.js';
import { withLog } from '../database/with-log.js';
import { answerPerson, type ExitCode } from '../policy/answer-person.js';
import { counted } from '../policy/counted.js';
import { UsageError } from '../policy/usage-error.js';
import { writeLines } from '../transfer/write-lines.js';

interface ExportFlags {
  readonly session?: string;
  readonly all?: boolean;
}

const examples = `
Each line is one record with a checksum; the last one counts the others. Payloads are byte for byte what was recorded. Pictures and other
blobs that events name are in the file, and so are the idempotency keys of commands.
Exit codes: 0 everything was written, 1 a session is damaged and was left out, or a blob that an event names is missing or damaged here (the
rest was written), 2 it was not.

Examples:
  $ offshoot export --all > log.jsonl
  $ offshoot export --session 01890000-0000-7000-8000-000000000001 > session.jsonl
  $ DATABASE_URL=postgres://… offshoot export --all | gzip > log.jsonl.gz
`;

/** `offshoot export`: sessions with all their agents, as a file that another Offshoot can import. */
export function registerExport(program: Command): void {
  program
    .command('export')
    .description('write sessions and all their agents as JSONL to the standard output')
    .option('--session <id>', 'one session and every agent below it')
    .addOption(new Option('--all', 'every session').conflicts('session'))
    .addHelpText('after', examples)
    .action((flags: ExportFlags) => answerPerson(false, () => exportLog(flags)));
}

async function exportLog(flags: ExportFlags): Promise<ExitCode> {
  const sessionId = askedSession(flags);
  return withDatabase(loadConfig(), 'existing', (databaseUrl) =>
    withLog<ExitCode>(databaseUrl, async ({ store }) => {
      const counts = await writeLines(exportTrees(store, sessionId), process.stdout);
      process.stderr.write(
        `Exported ${counted(counts.events, 'event')} of ${counted(counts.agents, 'agent')} in ${counted(counts.trees, 'session')}.\n`,
      );
      const codes = [leftOut(counts.leftOut), lostBlobs(counts.lostBlobs)];
      return codes.includes(1) ? 1 : 0;
    }),
  );
}

function leftOut(trees: readonly LeftOutTree[]): ExitCode {
  for (const { root, agentId, version, fault } of trees)
    process.stderr.write(
      `Session ${root} was left out: version ${version} of agent ${agentId} is not what was recorded (${fault}).\n`,
    );
  return trees.length === 0 ? 0 : 1;
}

function lostBlobs(count: number): ExitCode {
  if (count === 0) return 0;
  process.stderr.write(
    `Missing or damaged, and not in the file: ${counted(count, 'blob')} that events name; "offshoot doctor" says which.\n`,
  );
  return 1;
}

function askedSession({ session, all }: ExportFlags): string | null {
  if (session === undefined && all !== true) throw new UsageError('Say --session <id>, or --all.');
  if (session !== undefined && !isAgentId(session))
    throw new UsageError(`"${session}" is no session id; one is like 01890000-0000-7000-8000-000000000001.`);
  return session ?? null;
}
