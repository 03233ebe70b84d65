import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Pool } from 'pg';
import {
  type AgentEvent,
  createDataSource,
  createPool,
  encodeEvent,
  loadMeta,
  type NewEvent,
  openPostgresLog,
  type PostgresLog,
  type RecordedEvent,
  runMigrations,
  sealLine,
  type TranscriptStore,
} from '#transcripts';
import { newId, testContext } from '#transcripts/testing';
import { createTestDatabase, type TestDatabase } from '../../../../../test/support/test-database.js';
import { exportTrees } from '../export-trees.js';

/** A migrated log in a database of its own, with a pool beside it. */
export interface OpenedLog {
  readonly log: PostgresLog;
  readonly pool: Pool;
  close(): Promise<void>;
}

export async function openLog(): Promise<OpenedLog> {
  const database: TestDatabase = await createTestDatabase();
  const source = await createDataSource({ url: database.url }).initialize();
  await runMigrations(source);
  await source.destroy();
  const log = await openPostgresLog({ url: database.url, writers: 2, readers: 2 });
  const pool = createPool({ url: database.url, max: 2 });
  return {
    log,
    pool,
    close: async () => {
      await log.close();
      await pool.end();
      await database.drop();
    },
  };
}

const encoded = (facts: readonly (AgentEvent | NewEvent)[]): [NewEvent, ...NewEvent[]] =>
  facts.map((fact) => ('id' in fact ? fact : encodeEvent(fact, newId()))) as [NewEvent, ...NewEvent[]];

/** Appends to a stream wherever it stands. */
export async function record(store: TranscriptStore, stream: string, ...facts: (AgentEvent | NewEvent)[]) {
  const { head } = await loadMeta(store, stream);
  const result = await store.append({ stream, expected: head, events: encoded(facts), context: testContext });
  if (!result.ok) throw new Error(result.reason);
  return result.head;
}

/** What is committed is in sight of readers once no older transaction runs in any database of the server; other specs run beside this one. */
export async function untilInSight(store: TranscriptStore, stream: string, version: number): Promise<void> {
  const inSight = async (): Promise<number> => {
    const end = await store.logEnd();
    return end === null ? 0 : store.versionAt(stream, end);
  };
  while ((await inSight()) < version) await sleep(20);
}

export async function linesOf(store: TranscriptStore, sessionId: string | null): Promise<string[]> {
  const lines: string[] = [];
  for await (const line of exportTrees(store, sessionId)) lines.push(line);
  return lines;
}

export const asFile = (lines: readonly string[]) => (): AsyncIterable<Uint8Array> => {
  const bytes = Buffer.from(lines.join(''));
  const starts = Array.from({ length: Math.ceil(bytes.length / 65_537) }, (_, index) => index * 65_537);
  // Chunks that end inside lines and inside characters, as files come.
  return Readable.from(starts.map((start) => bytes.subarray(start, start + 65_537)));
};

export const withoutPlace = ({ place: _place, ...rest }: RecordedEvent) => rest;
export const parsed = (line: string) => JSON.parse(line) as Record<string, unknown>;
/** The same line with other content and a seal that fits. */
export const resealed = (line: string, change: object): string => {
  const { sum: _sum, ...rest } = parsed(line);
  return `${sealLine({ ...rest, ...change })}\n`;
};
