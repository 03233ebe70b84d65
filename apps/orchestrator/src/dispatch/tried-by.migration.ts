import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Which workers took an agent that waits, so that one whom every claim takes a worker from is found. */
export class NoteTries1767000340000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`alter table dispatch add column tried_by uuid[] not null default '{}'`);
    await runner.query(
      'create index dispatch_tried on dispatch (agent_id) where not is_running and cardinality(tried_by) >= 5',
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop index dispatch_tried');
    await runner.query('alter table dispatch drop column tried_by');
  }
}
