import pg from 'pg';
import { setTimeout as pause } from 'node:timers/promises';

/**
 * Holds up the append of one event inside the database, so that a process can be killed exactly between what is recorded
 * before it and the event itself. The statement of a killed process is rolled back by the server.
 */
export class StalledAppend {
  private constructor(
    private readonly client: pg.Client,
    private readonly type: string,
    private readonly table: 'event' | 'checkpoint',
  ) {}

  /** Stalls every append of an event of this type whose payload contains `containing`, until it is disarmed. */
  static async arm(databaseUrl: string, type: string, containing = ''): Promise<StalledAppend> {
    const client = new pg.Client({ connectionString: databaseUrl, application_name: 'stalled-append' });
    await client.connect();
    await client.query(`
      create or replace function stall_append() returns trigger language plpgsql as $$
      begin perform pg_sleep(20); return new; end $$`);
    await client.query(`drop trigger if exists stall_append on event`);
    await client.query(
      `create trigger stall_append before insert on event for each row
       when (new.type = '${type}' and position('${containing}' in new.data) > 0) execute function stall_append()`,
    );
    return new StalledAppend(client, type, 'event');
  }

  /** Stalls a reader of the log where it saves its place, once an event of this type was appended to the stream. */
  static async armPlace(
    databaseUrl: string,
    reader: string,
    { stream, type }: { readonly stream: string; readonly type: string },
  ): Promise<StalledAppend> {
    const client = new pg.Client({ connectionString: databaseUrl, application_name: 'stalled-append' });
    await client.connect();
    await client.query(`
      create or replace function stall_place() returns trigger language plpgsql as $$
      begin
        if exists (select 1 from event where stream = '${stream}' and type = '${type}') then perform pg_sleep(20); end if;
        return new;
      end $$`);
    await client.query(`drop trigger if exists stall_append on checkpoint`);
    await client.query(
      `create trigger stall_append before insert or update on checkpoint for each row
       when (new.reader = '${reader}') execute function stall_place()`,
    );
    return new StalledAppend(client, type, 'checkpoint');
  }

  /** Resolves once the append, or the reader, is being held up. */
  async reached(timeoutMs = 60_000): Promise<void> {
    for (let waitedMs = 0; waitedMs < timeoutMs; waitedMs += 20) {
      const { rowCount } = await this.client.query(
        `select 1 from pg_stat_activity where wait_event = 'PgSleep' and datname = current_database() and application_name like 'offshoot-%'`,
      );
      if ((rowCount ?? 0) > 0) return;
      await pause(20);
    }
    throw new Error(`No append of ${this.type} was held up in ${timeoutMs} ms.`);
  }

  /** Lets later appends through. Needs the lock that the stalled insert holds, so it waits for its end. */
  async disarm(): Promise<void> {
    await this.client.query(`drop trigger if exists stall_append on ${this.table}`);
    await this.client.end();
  }
}
