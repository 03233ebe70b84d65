import * as z from 'zod';
import { ConfigError } from '../config/config-error.js';
import { databaseRefusal } from './database-refusal.js';
import { RedisMayEvict } from '../queue/redis-eviction.js';
import { StartRefusedError } from './start-refused-error.js';

/** EX_CONFIG of sysexits.h: nothing but a change by a person helps. */
const refusedExitCode = 78;
const refused = z.object({ type: z.literal('refused'), message: z.string() });

/**
 * Runs the start of a program. What a person has to mend (configuration, an address that is taken, a database or queue that does
 * not answer) ends the process with code 78 and one message: to the supervisor that started it, else on standard error. Any other fault is thrown.
 */
export async function startOrRefuse(start: () => Promise<void>): Promise<void> {
  try {
    await start();
  } catch (error) {
    const message = refusalOf(error);
    if (message === null) throw error;
    await tell(message);
    process.exit(refusedExitCode);
  }
}

/** The message of a program that refused to start (`startOrRefuse`), from what it sent to its supervisor; undefined for every other message. */
export function parseStartRefusal(message: unknown): string | undefined {
  return refused.safeParse(message).data?.message;
}

function refusalOf(error: unknown): string | null {
  const kinds = [StartRefusedError, ConfigError, RedisMayEvict];
  for (const kind of kinds) if (error instanceof kind) return error.message;
  return databaseRefusal(error);
}

function tell(message: string): Promise<void> {
  if (process.send === undefined) {
    process.stderr.write(`${message}\n`);
    return Promise.resolve();
  }
  const told: z.infer<typeof refused> = { type: 'refused', message };
  // Left at once, the process would take the message with it.
  return new Promise((resolve) => process.send?.(told, () => resolve()));
}
