import { DedicatedSession, errorMessage } from '#platform';
import { OperationRefusedError } from '../operation-refused-error.js';
import type { Heads } from './archive-file.js';

const timeoutMs = 5_000;

// A restored database has the identity of the log that it was dumped from; the server that it lies in has its own.
const takeText = `select pg_try_advisory_lock(hashtextextended('offshoot archiving', 0)) as taken,
  (select system_identifier from pg_control_system()) || '-' || oid as writer
  from pg_database where datname = current_database()`;

const holdsText = `select not exists (
  select from jsonb_to_recordset($1::jsonb) t(stream uuid, version int, hash text)
  where not exists (select from event e
    where e.stream = t.stream and e.version = t.version and e.hash = decode(t.hash, 'hex'))) as whole`;

/**
 * The one archiving of a database: a lock on a connection of its own, from before the first look to the end. What decides over a file is asked on this
 * connection, so that an answer says that the lock is still held.
 */
export class ArchivingLock {
  private constructor(
    private readonly session: DedicatedSession,
    /** The database, as no other one is called: letters, digits and dashes. */
    readonly writer: string,
  ) {}

  /** Works under the lock. Refuses at once, `ARCHIVING_RUNS`, while another archiving has it. */
  static async with<T>(databaseUrl: string, work: (lock: ArchivingLock) => Promise<T>): Promise<T> {
    // Nobody else may take a run that stands still for one that has ended.
    const settings = { idle_session_timeout: 0 };
    const applicationName = 'offshoot-operate';
    const session = await DedicatedSession.open({ databaseUrl, applicationName, timeoutMs, settings });
    try {
      const [row] = await session.query<{ taken: boolean; writer: string }>(takeText);
      if (row?.taken !== true)
        throw new OperationRefusedError(
          'ARCHIVING_RUNS',
          'Another archiving works on this database; wait for it to end.',
        );
      return await work(new ArchivingLock(session, row.writer));
    } finally {
      await session.close();
    }
  }

  /** Refuses with `ARCHIVING_LOCK_LOST` when another archiving may have begun. */
  async assertHeld(): Promise<void> {
    await this.ask('select 1');
  }

  /** Whether the log holds all of this, and the lock is held; refuses like `assertHeld`. */
  async isInLog(heads: Heads): Promise<boolean> {
    const streams = [...heads].map(([stream, { version, hash }]) => ({ stream, version, hash }));
    const [row] = await this.ask<{ whole: boolean }>(holdsText, JSON.stringify(streams));
    return row?.whole === true;
  }

  private async ask<Row extends object>(text: string, ...values: readonly string[]): Promise<Row[]> {
    try {
      return await this.session.query<Row>(text, values);
    } catch (thrown) {
      this.session.destroy();
      throw new OperationRefusedError(
        'ARCHIVING_LOCK_LOST',
        `The lock of this archiving was lost (${errorMessage(thrown)}). It stopped, and removed nothing since; run it again.`,
      );
    }
  }
}
