import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The log, its large payloads, its identity and its generations, and where readers stopped. Immutable once merged. */
export class CreateEventLog implements MigrationInterface {
  // TypeORM orders migrations by the 13 digits at the end of the name.
  readonly name = 'CreateEventLog0000000000001';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`create table event (
      stream uuid not null,
      id uuid not null,
      xid xid8 not null default pg_current_xact_id(),
      position bigint generated always as identity,
      recorded_at timestamptz not null default clock_timestamp(),
      generation integer not null,
      version integer not null check (version > 0),
      blob_size integer,
      schema smallint not null,
      hash bytea not null,
      type text not null,
      actor text not null,
      tenant text not null,
      causation text,
      correlation text,
      trace text,
      idempotency_key text,
      body_hash bytea,
      blob bytea,
      data text not null,
      primary key (stream, version)
    )`);
    await runner.query('create unique index event_log_order on event (generation, xid, position)');
    await runner.query(
      'create unique index event_idempotency on event (tenant, idempotency_key) where idempotency_key is not null',
    );
    await runner.query(`create table blob_chunk (
      hash bytea not null,
      chunk integer not null,
      bytes bytea not null,
      primary key (hash, chunk)
    )`);
    await runner.query(`create table log_identity (
      is_only boolean primary key default true check (is_only),
      id uuid not null default gen_random_uuid()
    )`);
    await runner.query('insert into log_identity default values');
    await runner.query(`create table log_generation (
      generation integer primary key,
      system_identifier text,
      opened_at timestamptz not null default clock_timestamp()
    )`);
    await runner.query(`create table checkpoint (
      reader text primary key,
      generation integer not null,
      xid xid8 not null,
      position bigint not null,
      saved_at timestamptz not null default clock_timestamp()
    )`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table checkpoint, log_generation, log_identity, blob_chunk, event');
  }
}
