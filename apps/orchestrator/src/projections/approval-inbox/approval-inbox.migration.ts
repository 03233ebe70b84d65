import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Approvals by id: open ones for people, all of them to tell a second answer from an unknown id. */
export class CreateApprovalInbox1767000000200 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table approval_inbox (
        approval_id uuid primary key,
        agent_id uuid not null,
        tenant text not null,
        tool text not null,
        arguments text not null,
        status text not null,
        requested_at timestamptz not null,
        expires_at timestamptz not null
      )`);
    await runner.query(
      `create index approval_inbox_open on approval_inbox (tenant, approval_id) where status = 'pending'`,
    );
    await runner.query(
      `create index approval_inbox_due on approval_inbox (expires_at) where status = 'pending'`,
    );
    await runner.query('create index approval_inbox_agent on approval_inbox (agent_id)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table approval_inbox');
  }
}
