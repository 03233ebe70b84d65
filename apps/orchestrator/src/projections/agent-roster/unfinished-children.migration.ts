import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The children of a parent that have not ended, without a look at all that have. */
export class IndexUnfinishedChildren1767000000900 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create index agent_roster_unfinished_child on agent_roster (parent_id, agent_id)
      where parent_id is not null and status not in ('completed', 'failed', 'cancelled')`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop index agent_roster_unfinished_child');
  }
}
