import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Agents that agents launched, for the cancel that reaches them. Sessions are never cancelled, so their own children need no row. */
export class CreateGrandchild1767000000600 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table grandchild (
        parent_id uuid not null,
        agent_id uuid not null,
        primary key (parent_id, agent_id)
      )`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table grandchild');
  }
}
