import {
  ConfigError,
  EmbeddedPostgresError,
  loadConfig,
  loadOperatorConfig,
  StartRefusedError,
} from '#platform';
import type { Command } from 'commander';
import { announcement } from '../up/announcement.js';
import { DataDirHeldError } from '../up/data-dir-held-error.js';
import { endOnSignals } from '../up/end-on-signals.js';
import { StartFailedError } from '../up/start-failed-error.js';
import { StartStoppedError } from '../up/start-stopped-error.js';
import { beginSupervisor } from '../up/start-supervisor.js';

/** `offshoot up`: the whole product on this machine until it is interrupted. */
export function registerUp(program: Command): void {
  program
    .command('up')
    .description('run the database, the orchestrator and the workers on this machine')
    .addHelpText('after', '\nExamples:\n  $ offshoot up\n  $ OFFSHOOT_WORKERS=4 PORT=4401 offshoot up\n')
    .action(up);
}

async function up(): Promise<void> {
  try {
    const config = loadConfig();
    // Read by the parts themselves; a file that cannot be used should end the start here, with one message.
    loadOperatorConfig(config.configFile);
    const start = beginSupervisor({ config });
    endOnSignals(start);
    process.stdout.write(announcement(await start.started, config.workers));
  } catch (error) {
    // Whoever stopped it ends the process.
    if (error instanceof StartStoppedError) return;
    if (!isForThePerson(error)) throw error;
    process.stderr.write(`${error.message}\n`);
    process.exitCode = 1;
  }
}

function isForThePerson(error: unknown): error is Error {
  const kinds = [ConfigError, DataDirHeldError, EmbeddedPostgresError, StartFailedError, StartRefusedError];
  return kinds.some((kind) => error instanceof kind);
}
