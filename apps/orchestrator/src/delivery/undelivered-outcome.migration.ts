import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Outcomes that a parent could not be told yet: where they stand in the log, why, and when they are tried again. */
export class CreateUndeliveredOutcome1767000330000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table undelivered_outcome (
        agent_id uuid not null,
        activation integer not null,
        version integer not null,
        problem text not null,
        tries integer not null default 1,
        since timestamptz not null default statement_timestamp(),
        tried_at timestamptz not null default statement_timestamp(),
        next_try_at timestamptz not null,
        primary key (agent_id, activation)
      )`);
    await runner.query('create index undelivered_outcome_due on undelivered_outcome (next_try_at)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table undelivered_outcome');
  }
}
