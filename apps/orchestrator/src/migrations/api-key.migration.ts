import type { MigrationInterface, QueryRunner } from 'typeorm';
import { keysMigration, keysMigrationDown } from '#platform';

/** API keys beside the admin key: hashed, of one tenant, with scopes. */
export class CreateApiKey1767000003100 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const statement of keysMigration) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const statement of keysMigrationDown) await runner.query(statement);
  }
}
