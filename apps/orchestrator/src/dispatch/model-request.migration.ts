import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Requests to a model with a limit that no agent at work stands for, waiting and under way. */
export class CreateModelRequest1767000360000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table model_request (
        id uuid primary key,
        model text not null,
        worker_id uuid not null,
        asked_at timestamptz not null default clock_timestamp(),
        lapses_at timestamptz not null
      )`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table model_request');
  }
}
