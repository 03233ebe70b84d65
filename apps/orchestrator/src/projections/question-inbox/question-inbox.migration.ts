import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Questions by id: open ones for whoever answers, all of them to tell a second answer from an unknown id. */
export class CreateQuestionInbox1767000000700 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table question_inbox (
        question_id uuid primary key,
        agent_id uuid not null,
        tenant text not null,
        asked_of text not null,
        question text not null,
        options text not null,
        status text not null,
        asked_at timestamptz not null,
        expires_at timestamptz
      )`);
    await runner.query(
      `create index question_inbox_open on question_inbox (tenant, question_id) where status = 'pending'`,
    );
    await runner.query(
      `create index question_inbox_due on question_inbox (expires_at) where status = 'pending'`,
    );
    await runner.query('create index question_inbox_agent on question_inbox (agent_id)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table question_inbox');
  }
}
