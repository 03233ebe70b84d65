import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What agents used, by model. Rebuilt from the log at any time. Sums of cost are exact, so that no order of adding changes them. */
export class CreateAgentUsage1767000029200 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table agent_usage (
        agent_id uuid not null,
        model text not null,
        tenant text not null,
        session_id uuid not null,
        turns bigint not null,
        unreported_turns bigint not null,
        unpriced_turns bigint not null,
        side_requests bigint not null,
        input_tokens numeric not null,
        cached_tokens numeric not null,
        cache_write_tokens numeric not null,
        output_tokens numeric not null,
        cost_usd numeric not null,
        primary key (agent_id, model)
      )`);
    await runner.query(
      'create index agent_usage_session on agent_usage (tenant, session_id, agent_id, model)',
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table agent_usage');
  }
}
