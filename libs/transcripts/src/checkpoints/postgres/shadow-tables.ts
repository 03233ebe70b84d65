import type { ClientBase } from 'pg';
import { queryText } from '../../store/postgres/sql-client.js';

/**
 * Copies of a projection's tables, empty, in a schema of their own under the same names. A statement reaches them when that schema comes
 * first on the search path, so that what fills the tables in service fills the copies too, unchanged.
 */
export interface ShadowTables {
  readonly schema: string;
  readonly live: string;
  readonly tables: readonly string[];
}

const indexText = `select c.conname as name, pg_get_constraintdef(c.oid) as definition,
  pg_get_indexdef(i.indexrelid, 0, true) as index
from pg_index i left join pg_constraint c on c.conindid = i.indexrelid and c.contype in ('p', 'u')
where i.indrelid = $1::regclass order by i.indexrelid`;

interface IndexRow {
  readonly name: string | null;
  readonly definition: string | null;
  readonly index: string;
}

/** Makes the copies with the columns, checks, keys and indexes of the tables in service, names included. */
export async function createShadow(client: ClientBase, shadow: ShadowTables): Promise<void> {
  await client.query(`create schema ${shadow.schema}`);
  for (const table of shadow.tables) {
    const live = `${shadow.live}.${table}`;
    const copy = `${shadow.schema}.${table}`;
    await client.query(`create table ${copy} (like ${live} including all excluding indexes)`);
    const indexes = await queryText<IndexRow>(client, 'shadow-indexes', indexText, [live]);
    await seeShadow(client, shadow);
    for (const { name, definition, index } of indexes)
      await client.query(
        name === null ? index : `alter table ${copy} add constraint ${name} ${definition ?? ''}`,
      );
    await client.query(`set local search_path to ${shadow.live}`);
  }
}

/** From here to the end of the transaction the names of the tables mean their copies. */
export async function seeShadow(client: ClientBase, { schema, live }: ShadowTables): Promise<void> {
  await client.query(`set local search_path to ${schema}, ${live}`);
}

/** Puts the copies in the place of the tables. Waits for their readers, at most for the lock time-out. */
export async function swapShadow(client: ClientBase, { schema, live, tables }: ShadowTables): Promise<void> {
  for (const table of tables) {
    await client.query(`drop table ${live}.${table}`);
    await client.query(`alter table ${schema}.${table} set schema ${live}`);
  }
}

export async function dropShadow(client: ClientBase, schema: string): Promise<void> {
  await client.query(`drop schema if exists ${schema} cascade`);
}

/** Rows that only one of the two has, as text: `missing` from the table in service, or `extra` there. At most 1,000 of each. */
export async function shadowDifferences(
  client: ClientBase,
  shadow: ShadowTables,
): Promise<readonly string[]> {
  const found: string[] = [];
  for (const table of shadow.tables) {
    const copy = `select t::text as row from ${shadow.schema}.${table} t`;
    const live = `select t::text as row from ${shadow.live}.${table} t`;
    const { rows } = await client.query<{ difference: string }>(
      `(select '${table}: missing ' || row as difference from (${copy} except ${live}) m limit 1000)
       union all (select '${table}: extra ' || row from (${live} except ${copy}) e limit 1000)`,
    );
    found.push(...rows.map(({ difference }) => difference));
  }
  return found;
}
