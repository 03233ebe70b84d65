import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Client } from 'pg';
import { createTestDatabase, type TestDatabase } from '../../../../test/support/test-database.js';
import { jobId } from './job-id.js';
import { openQueueBackend } from './open-queue-backend.js';
import { eventually } from './testing/eventually.js';
import { queueContract } from './testing/queue-contract.js';

let contractDatabase: TestDatabase;
queueContract('postgres', {
  address: async () => {
    contractDatabase = await createTestDatabase();
    return contractDatabase.url;
  },
  options: (databaseUrl) => ({ databaseUrl }),
  end: () => contractDatabase.drop(),
});

describe('the queue on PostgreSQL, by itself', () => {
  let database: TestDatabase;
  let admin: Client;

  beforeAll(async () => {
    database = await createTestDatabase();
    admin = new Client({ connectionString: database.url });
    await admin.connect();
  });
  afterAll(async () => {
    await admin.end();
    await database.drop();
  });

  const names = async (): Promise<string[]> => {
    const { rows } = await admin.query<{ name: string }>(
      `select application_name as name from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()`,
    );
    return rows.map(({ name }) => name);
  };

  it('every connection carries the given name, and a process with queue and worker holds at most five', async () => {
    const backend = await openQueueBackend({
      databaseUrl: database.url,
      applicationName: 'offshoot-worker-7',
    });
    const queue = await backend.createQueue('jobs');
    let runs = 0;
    await backend.createWorker('jobs', () => Promise.resolve(void (runs += 1)), { concurrency: 16 });
    const jobs = Array.from({ length: 100 }, (_, n) => ({ id: jobId(`agent-${n}`, 1, 1), payload: { n } }));
    await Promise.all(jobs.map((job) => queue.enqueue(job)));
    await eventually(
      () => runs,
      (count) => count === jobs.length,
    );
    const seen = await names();
    expect(new Set(seen)).toEqual(new Set(['offshoot-worker-7']));
    expect(seen.length).toBeLessThanOrEqual(5);
    await backend.close();
    await eventually(names, (left) => left.length === 0);
  });

  it('[Q10] two thousand finished jobs leave a bounded number of rows and no results', async () => {
    const backend = await openQueueBackend({ databaseUrl: database.url });
    const queue = await backend.createQueue('many');
    let runs = 0;
    await backend.createWorker('many', () => Promise.resolve(void (runs += 1)), { concurrency: 16 });
    for (let batch = 0; batch < 10; batch += 1) {
      await queue.enqueue(
        ...Array.from({ length: 200 }, (_, n) => ({ id: jobId(`m${batch}-${n}`, 1, 1), payload: { n } })),
      );
    }
    await eventually(
      () => runs,
      (count) => count === 2000,
      60_000,
    );
    await backend.close(5000);
    const { rows } = await admin.query<{ jobs: number; events: number; results: number }>(
      `select (select count(*) from bullmq.job where queue = 'many')::int as jobs,
              (select count(*) from bullmq.event where queue = 'many')::int as events,
              (select count(*) from bullmq.job where return_value is not null and return_value <> 'null')::int as results`,
    );
    expect(rows[0]?.jobs).toBeLessThanOrEqual(300);
    expect(rows[0]?.events).toBeLessThanOrEqual(1000);
    expect(rows[0]?.results).toBe(0);
  }, 120_000);

  it('[Q16] a database that refuses connections does not starve the process of its timers', async () => {
    const faults: unknown[] = [];
    const backend = await openQueueBackend({
      databaseUrl: database.url,
      onFault: (fault) => faults.push(fault),
    });
    await backend.createWorker('calm', () => Promise.resolve(), { concurrency: 1 });
    const outside = new Client({ connectionString: database.url.replace(database.name, 'postgres') });
    await outside.connect();
    await outside.query(`alter database ${database.name} allow_connections false`);
    await outside.query(
      `select pg_terminate_backend(pid) from pg_stat_activity where datname = $1 and pid <> $2`,
      [database.name, (admin as unknown as { processID: number }).processID],
    );
    let ticks = 0;
    const timer = setInterval(() => (ticks += 1), 50);
    await eventually(
      () => ticks,
      (count) => count >= 20,
    );
    clearInterval(timer);
    expect(faults.length).toBeLessThan(40);
    await outside.query(`alter database ${database.name} allow_connections true`);
    await outside.end();
    await backend.close();
  }, 60_000);
});
