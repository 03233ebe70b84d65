import { createRequire } from 'node:module';
import { join } from 'node:path';
import pg from 'pg';
import { newId } from '#platform';
import { NO_STREAM, openPostgresLog, type StreamHead } from '#transcripts';
import { closedLoop, type LoopFigures } from '../harness/closed-loop.js';
import { loadPeer } from '../harness/load-peer.js';

/** A way of recording single events; every writer goes on with a stream of its own, at the version it knows. */
export interface Appender {
  readonly name: string;
  measure(writers: number, durationMs: number): Promise<LoopFigures>;
  close(): Promise<void>;
}

/** Some 400 bytes, as the facts of a run are. */
export const payload = JSON.stringify({ text: 'A line of what a tool had to say. '.repeat(12) });
export const context = { actor: 'worker:bench', tenant: 'bench' };
export const type = 'MessageAppended';

/** A stream and where it stands. */
export interface OpenStream {
  readonly stream: string;
  head: StreamHead;
}

/** The log of this product: conflicts, hash chain and order included. */
export async function ownAppender(url: string, name = 'log'): Promise<Appender> {
  return appenderOf(url, name, () => {
    const open: OpenStream = { stream: newId(), head: NO_STREAM };
    return () => open;
  });
}

/** The log of this product; `begin` makes for each writer what says which stream its next event goes to. */
export async function appenderOf(
  url: string,
  name: string,
  begin: (writer: number) => () => OpenStream,
): Promise<Appender> {
  const log = await openPostgresLog({ url });
  const step = async (next: () => OpenStream): Promise<void> => {
    const open = next();
    const events = [{ id: newId(), type, schema: 1, data: payload }] as const;
    const result = await log.store.append({ stream: open.stream, expected: open.head, context, events });
    if (!result.ok) throw new Error(`An append of the benchmark lost: ${result.reason}.`);
    open.head = result.head;
  };
  return {
    name,
    measure: (writers, durationMs) => closedLoop({ writers, durationMs, begin, step }),
    close: () => log.close(),
  };
}

/**
 * What one writes first: a parameterised INSERT of one row in autocommit, a connection a writer. Same row, same
 * indexes; no chain, no check of the head. `prepared` keeps the statement's plan in each connection.
 */
export async function plainAppender(url: string, prepared: boolean): Promise<Appender> {
  const pool = new pg.Pool({ connectionString: url, max: 16 });
  await pool.query('create table if not exists plain_event (like event including all)');
  await pool.query('alter table plain_event alter column hash drop not null');
  const text = `insert into plain_event (generation, stream, version, id, type, schema, actor, tenant, data)
    values (1, $1, $2, $3, $4, 1, $5, $6, $7)`;
  interface State {
    readonly stream: string;
    version: number;
  }
  const step = async (state: State): Promise<void> => {
    state.version += 1;
    const values = [state.stream, state.version, newId(), type, context.actor, context.tenant, payload];
    await pool.query(prepared ? { name: 'insert', text, values } : { text, values });
  };
  return {
    name: prepared ? 'plain INSERT, prepared' : 'plain INSERT',
    measure: (writers, durationMs) =>
      closedLoop({ writers, durationMs, begin: () => ({ stream: newId(), version: 0 }), step }),
    close: () => pool.end(),
  };
}

interface Emmett {
  getPostgreSQLEventStore(url: string, options: { connectionOptions: { pool: unknown } }): EmmettStore;
}
interface EmmettStore {
  readonly schema: { migrate(): Promise<unknown> };
  appendToStream(
    stream: string,
    events: readonly { type: string; data: unknown; metadata: unknown }[],
    options: { expectedStreamVersion: bigint | 'STREAM_DOES_NOT_EXIST' },
  ): Promise<{ readonly nextExpectedStreamVersion: bigint }>;
  close(): Promise<void>;
}

/** Emmett's event store with as many connections as writers; `null` when it cannot be had. */
export async function emmettAppender(url: string): Promise<Appender | null> {
  const emmett = await loadPeer<Emmett>('@event-driven-io/emmett-postgresql');
  if (emmett === null) return null;
  // Its own driver: it sets how that one reads numbers, and must not set it for everybody.
  const own = createRequire(join(import.meta.dirname, '..', '..', '..', 'bench', 'peers', 'package.json'));
  const pool = new (own('pg') as typeof pg).Pool({ connectionString: url, max: 16 });
  const store = emmett.getPostgreSQLEventStore(url, { connectionOptions: { pool } });
  await store.schema.migrate();
  interface State {
    readonly stream: string;
    expected: bigint | 'STREAM_DOES_NOT_EXIST';
  }
  const data: unknown = JSON.parse(payload);
  const step = async (state: State): Promise<void> => {
    const options = { expectedStreamVersion: state.expected };
    const result = await store.appendToStream(state.stream, [{ type, data, metadata: {} }], options);
    state.expected = result.nextExpectedStreamVersion;
  };
  const begin = (): State => ({ stream: newId(), expected: 'STREAM_DOES_NOT_EXIST' });
  return {
    name: 'Emmett',
    measure: (writers, durationMs) => closedLoop({ writers, durationMs, begin, step }),
    close: async () => {
      await store.close();
      await pool.end();
    },
  };
}
