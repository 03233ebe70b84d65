import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What waits for a worker: one row an agent, for the epoch that its next claim will have. */
export class CreateDispatch1767000000300 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table dispatch (
        agent_id uuid primary key,
        epoch integer not null,
        number integer not null default 0,
        enqueued_at timestamptz
      ) with (fillfactor = 70)`);
    await runner.query('create index dispatch_due on dispatch (enqueued_at nulls first)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table dispatch');
  }
}
