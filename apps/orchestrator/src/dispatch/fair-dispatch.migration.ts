import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Fairness needs to know whose an agent is, what it runs on, and who runs already: rows now stay while their agent runs. */
export class MakeDispatchFair1767000000800 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      alter table dispatch
        add column session_id uuid,
        add column model text not null default '',
        add column is_running boolean not null default false`);
    await runner.query('update dispatch set session_id = agent_id');
    await runner.query('alter table dispatch alter column session_id set not null');
    await runner.query('drop index dispatch_due');
    await runner.query(
      `create index dispatch_lane on dispatch (session_id, model, agent_id) where not is_running and enqueued_at is null`,
    );
    await runner.query(
      `create index dispatch_busy on dispatch (session_id, model) where is_running or enqueued_at is not null`,
    );
    await runner.query(
      `create index dispatch_sent on dispatch (enqueued_at) where not is_running and enqueued_at is not null`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop index dispatch_lane, dispatch_busy, dispatch_sent');
    await runner.query('delete from dispatch where is_running');
    await runner.query(
      'alter table dispatch drop column session_id, drop column model, drop column is_running',
    );
    await runner.query('create index dispatch_due on dispatch (enqueued_at nulls first)');
  }
}
