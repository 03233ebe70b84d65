import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The list of agents, for lists, sweeps and timers. Rebuilt from the log at any time. */
export class CreateAgentRoster1767000000100 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table agent_roster (
        agent_id uuid primary key,
        tenant text not null,
        kind text not null,
        session_id uuid not null,
        parent_id uuid,
        status text not null,
        epoch integer not null,
        run_id uuid,
        worker_id uuid,
        version integer not null,
        wait_until timestamptz,
        summary text not null
      )`);
    await runner.query('create index agent_roster_session on agent_roster (tenant, session_id, agent_id)');
    await runner.query(
      'create index agent_roster_parent on agent_roster (parent_id) where parent_id is not null',
    );
    await runner.query(
      `create index agent_roster_running on agent_roster (worker_id) where status = 'running'`,
    );
    await runner.query(
      `create index agent_roster_waiting on agent_roster (wait_until) where wait_until is not null`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table agent_roster');
  }
}
