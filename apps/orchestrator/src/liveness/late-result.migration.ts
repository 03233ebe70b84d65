import type { MigrationInterface, QueryRunner } from 'typeorm';

/** How many results of calls came too late, by worker and tenant. */
export class CountLateResults1767000350000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table late_result (
        worker_id uuid not null,
        tenant text not null,
        results bigint not null,
        primary key (worker_id, tenant)
      )`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table late_result');
  }
}
