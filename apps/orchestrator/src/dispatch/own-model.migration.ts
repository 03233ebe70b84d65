import type { MigrationInterface, QueryRunner } from 'typeorm';

/** An agent that was launched with a model of its own keeps it when the session changes its model. */
export class KeepOwnModel1767000320000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('alter table dispatch add column has_own_model boolean not null default false');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('alter table dispatch drop column has_own_model');
  }
}
