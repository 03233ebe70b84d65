import { randomBytes } from 'node:crypto';
import pg from 'pg';

/** A database of its own for one spec file. */
export interface TestDatabase {
  readonly url: string;
  /** Always holds `_test`. */
  readonly name: string;
  /** Ends every session of the database and removes it. */
  drop(): Promise<void>;
}

/** JSON array of addresses: the server of each worker of the run. */
export const adminUrlsVariable = 'OFFSHOOT_TEST_ADMIN_URLS';
const templateVariable = 'OFFSHOOT_TEST_TEMPLATE';

/** Makes a database for one spec file: a copy of the registered template, else an empty one. */
export async function createTestDatabase(): Promise<TestDatabase> {
  const name = `offshoot_test_${randomBytes(6).toString('hex')}`;
  const template = process.env[templateVariable];
  const source = template === undefined ? '' : ` template ${quoted(requireTestName(template))}`;
  await asAdministrator(`create database ${quoted(name)}${source}`);
  return {
    name,
    url: urlOf(name),
    drop: () => asAdministrator(`drop database if exists ${quoted(name)} with (force)`),
  };
}

/**
 * Makes the template that later databases of this process are copied from; `prepare` gets its address and
 * must close every connection before it answers. Call it once, before the first `createTestDatabase`.
 */
export async function registerTemplate(prepare: (url: string) => Promise<void>): Promise<TestDatabase> {
  const template = await createTestDatabase();
  await prepare(template.url);
  process.env[templateVariable] = template.name;
  return {
    ...template,
    drop: async () => {
      Reflect.deleteProperty(process.env, templateVariable);
      await template.drop();
    },
  };
}

/** Refuses a database whose name does not say that it is there to be destroyed (house rule, 4.8). */
export function requireTestName(name: string): string {
  if (name.includes('_test')) return name;
  throw new Error(
    `Tests run only against a database whose name contains _test, not against ${JSON.stringify(name)}.`,
  );
}

function urlOf(name: string): string {
  const url = new URL(adminUrl());
  url.pathname = `/${requireTestName(name)}`;
  return url.href;
}

function adminUrl(): string {
  const urls = JSON.parse(process.env[adminUrlsVariable] ?? '[]') as readonly string[];
  // Jest counts its workers from 1, and names none where it runs everything itself.
  const worker = Number(process.env['JEST_WORKER_ID'] ?? '1');
  const url = urls[(worker - 1) % Math.max(1, urls.length)];
  if (url !== undefined) return url;
  throw new Error('There is no test database server: run this spec in the int or e2e project of Jest.');
}

async function asAdministrator(statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: adminUrl() });
  client.on('error', () => undefined);
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}

function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}
