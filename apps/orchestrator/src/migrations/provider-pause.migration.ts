import type { MigrationInterface, QueryRunner } from 'typeorm';
import { pausesMigration } from '#platform';

/** Pauses of provider keys, shared by all workers. */
export class CreateProviderPause1767000001000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(pausesMigration);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table provider_pause');
  }
}
