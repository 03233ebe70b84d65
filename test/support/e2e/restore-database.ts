import { spawn } from 'node:child_process';
import { join } from 'node:path';
import pg from 'pg';

const migrate = join(import.meta.dirname, '..', '..', '..', 'dist/apps/orchestrator/src/migrate.js');

interface TableRow {
  readonly name: string;
}

/**
 * What a dump of one database and its restore into another does: the tables of the product row by row, every column as its text,
 * and where its sequences stand. The queue is left behind, as it may be lost.
 */
export async function restoreDatabase(from: string, to: string): Promise<void> {
  await runMigrations(to);
  const [source, target] = [from, to].map((connectionString) => new pg.Client({ connectionString }));
  if (source === undefined || target === undefined) return;
  await Promise.all([source.connect(), target.connect()]);
  const { rows } = await source.query<TableRow>(
    `select quote_ident(tablename) as name from pg_tables where schemaname = 'public'`,
  );
  await source.query('begin isolation level repeatable read');
  for (const { name } of rows) await copyTable(source, target, name);
  await source.query('commit');
  await target.query(`select setval('event_position_seq', (select max(position) from event))`);
  await Promise.all([source.end(), target.end()]);
}

async function copyTable(source: pg.Client, target: pg.Client, name: string): Promise<void> {
  const { rows } = await source.query<{ row: string }>(`select t::text as row from ${name} t`);
  await target.query(`truncate ${name}`);
  await target.query(
    `insert into ${name} overriding system value select (row).* from (select unnest($1::text[])::${name} as row) dumped`,
    [rows.map(({ row }) => row)],
  );
}

async function runMigrations(url: string): Promise<void> {
  const child = spawn(process.execPath, [migrate], {
    env: { ...process.env, DATABASE_URL: url, OFFSHOOT_LOG_LEVEL: 'silent' },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const code = await new Promise((resolve) => child.once('exit', resolve));
  if (code !== 0) throw new Error(`The migrations of the restored database ended with code ${String(code)}.`);
}
