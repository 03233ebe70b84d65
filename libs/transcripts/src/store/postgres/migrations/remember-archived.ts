import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What retention took out of the log: who, up to which place, and which payloads it left behind. Immutable once merged. */
export class RememberArchived implements MigrationInterface {
  // TypeORM orders migrations by the 13 digits at the end of the name.
  readonly name = 'RememberArchived1767000203100';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`create table archived_agent (
      agent_id uuid primary key,
      root uuid not null,
      tenant text not null,
      generation integer not null,
      xid xid8 not null,
      position bigint not null,
      archived_at timestamptz not null default clock_timestamp()
    )`);
    await runner.query('create index archived_agent_root on archived_agent (root)');
    await runner.query(
      'create index archived_agent_place on archived_agent (tenant, generation, xid, position)',
    );
    await runner.query('create table blob_leftover (hash bytea primary key)');
    await runner.query('alter table blob_chunk add column saved_at timestamptz not null default now()');
    await runner.query('create index event_blob on event (blob) where blob is not null');
    await runner.query(`alter table log_identity add column drops integer not null default 0,
      add column dropped_generation integer, add column dropped_xid xid8, add column dropped_position bigint`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`alter table log_identity drop column drops, drop column dropped_generation,
      drop column dropped_xid, drop column dropped_position`);
    await runner.query('drop index event_blob');
    await runner.query('alter table blob_chunk drop column saved_at');
    await runner.query('drop table blob_leftover, archived_agent');
  }
}
