import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { createTestDatabase, type TestDatabase } from '../../../../test/support/test-database.js';
import { takeDue } from '../dispatch/take-due.js';
import { migrateDatabase } from '../migrations/migrate-database.js';
import { ApprovalInbox } from '../projections/approval-inbox/approval-inbox.js';
import { endDueWaits } from './end-waits.js';

const parked = 5_000;

/** A pool that also explains what it is asked, and adds up the rows that were looked at. */
class ExplainingPool {
  looked = 0;
  constructor(private readonly client: pg.Client) {}

  async query(text: string, values: readonly unknown[] = []) {
    const { rows } = await this.client.query<{ 'QUERY PLAN': readonly { Plan: Plan }[] }>(
      `explain (analyze, format json) ${text}`,
      [...values],
    );
    this.looked += rowsOf(rows[0]?.['QUERY PLAN'][0]?.Plan);
    return this.client.query(text, [...values]);
  }
}

interface Plan {
  readonly 'Actual Rows': number;
  readonly 'Actual Loops': number;
  readonly 'Rows Removed by Filter'?: number;
  readonly Plans?: readonly Plan[];
}

function rowsOf(plan: Plan | undefined): number {
  if (plan === undefined) return 0;
  const own = (plan['Actual Rows'] + (plan['Rows Removed by Filter'] ?? 0)) * plan['Actual Loops'];
  return (plan.Plans ?? []).reduce((sum, below) => sum + rowsOf(below), own);
}

describe('[RUN-6] with thousands of agents parked', () => {
  let database: TestDatabase;
  let client: pg.Client;

  beforeAll(async () => {
    database = await createTestDatabase();
    await migrateDatabase(database.url, () => undefined);
    client = new pg.Client({ connectionString: database.url });
    await client.connect();
    await client.query(
      `insert into agent_roster (agent_id, tenant, kind, session_id, status, epoch, version, wait_until, summary)
       select gen_random_uuid(), 'default', 'fork', gen_random_uuid(), 'waiting', 1, 1, now() + interval '1 day', '{}'
       from generate_series(1, ${parked})`,
    );
    await client.query(
      `insert into approval_inbox (approval_id, agent_id, tenant, tool, arguments, status, requested_at, expires_at)
       select gen_random_uuid(), agent_id, 'default', 'edit', '{}', 'pending', now(), now() + interval '7 days'
       from agent_roster`,
    );
    await client.query(
      `insert into dispatch (agent_id, session_id, model, epoch)
       select agent_id, '01890000-0000-7000-8000-000000000001', 'scripted:a', 1 from agent_roster`,
    );
    await client.query('analyze');
  });
  afterAll(async () => {
    await client.end();
    await database.drop();
  });

  const lookedAt = async (sweep: (pool: pg.Pool) => Promise<unknown>): Promise<number> => {
    const pool = new ExplainingPool(client);
    await sweep(pool as unknown as pg.Pool);
    return pool.looked;
  };

  it('a tick of the timers looks at none of those that are not due', async () => {
    const tools = { store: undefined, newId: () => '' } as unknown as Parameters<typeof endDueWaits>[1];
    expect(await lookedAt((pool) => endDueWaits(pool, tools))).toBe(0);
    expect(await lookedAt((pool) => new ApprovalInbox(pool).due())).toBe(0);
  });

  it('a look of the dispatcher looks at as many of a backlog as there is room for', async () => {
    const looked = await lookedAt((pool) => pool.query(takeDue, [3, null, '{}']));
    expect(looked).toBeGreaterThan(0);
    expect(looked).toBeLessThan(parked / 5);
  });
});
