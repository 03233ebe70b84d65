import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What was refused or withheld, to whom and why. Rebuilt from the log at any time. */
export class CreateRefusal1767000029100 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table refusal (
        agent_id uuid not null,
        version integer not null,
        ordinal integer not null,
        tenant text not null,
        session_id uuid not null,
        kind text not null,
        tool text,
        reason text not null,
        detail text,
        recorded_at timestamptz not null,
        primary key (agent_id, version, ordinal)
      )`);
    await runner.query(
      'create index refusal_recent on refusal (tenant, recorded_at, agent_id, version, ordinal)',
    );
    await runner.query(
      'create index refusal_session on refusal (tenant, session_id, recorded_at, agent_id, version, ordinal)',
    );
    await runner.query(
      `create unique index refusal_withheld on refusal (agent_id, tool, reason) where kind = 'withheld'`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table refusal');
  }
}
