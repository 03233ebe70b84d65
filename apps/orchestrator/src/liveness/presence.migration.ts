import type { MigrationInterface, QueryRunner } from 'typeorm';
import { presenceMigration } from '#platform';

/** Life signs of workers. */
export class CreatePresence1767000000400 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(presenceMigration);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table worker');
  }
}
