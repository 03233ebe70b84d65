import pg from 'pg';
import { sealAppend } from '../../seal-append.js';
import type { AppendRequest } from '../../transcript-store.js';
import { fencedStatement } from '../append-statement.js';

/** A transaction on a connection of its own that stays open until the spec ends it. */
export interface HeldTransaction {
  /** Takes the transaction's id now, before it writes anything. */
  takeXid(): Promise<void>;
  append(request: AppendRequest): Promise<void>;
  query(statement: string): Promise<void>;
  commit(): Promise<void>;
  rollback(): Promise<void>;
}

export async function holdTransaction(url: string): Promise<HeldTransaction> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => undefined);
  await client.connect();
  await client.query('begin');
  const end = async (statement: string): Promise<void> => {
    await client.query(statement);
    await client.end();
  };
  return {
    takeXid: async () => {
      await client.query('select pg_current_xact_id()');
    },
    append: async (request) => {
      const { text, values = [] } = fencedStatement([{ append: sealAppend(request), blobs: new Map() }]);
      const { rowCount } = await client.query(text, values);
      if (rowCount !== 1) throw new Error('The held transaction recorded nothing.');
    },
    query: async (statement) => {
      await client.query(statement);
    },
    commit: () => end('commit'),
    rollback: () => end('rollback'),
  };
}
