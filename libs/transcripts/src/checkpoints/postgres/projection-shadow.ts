import { setTimeout as pause } from 'node:timers/promises';
import type { ClientBase, Pool, PoolClient } from 'pg';
import { isSound, type LogPlace, type RecordedEvent } from '../../events/recorded-event.js';
import { compareLogPlaces } from '../../store/log-place.js';
import { inTransaction } from '../../store/postgres/in-transaction.js';
import type { TranscriptStore } from '../../store/transcript-store.js';
import { type ApplyEvents, applyPage } from './apply-page.js';
import {
  deleteCheckpoint,
  moveCheckpoint,
  readCheckpoint,
  saveCheckpoint,
  takeReaderLock,
} from './checkpoints.js';
import {
  createShadow,
  dropShadow,
  seeShadow,
  shadowDifferences,
  type ShadowTables,
  swapShadow,
} from './shadow-tables.js';

/** A projection: tables that a reader of the log keeps, and nothing else. A reader with effects elsewhere is none. */
export interface Projection {
  /** The name of the reader and of its checkpoint. */
  readonly name: string;
  readonly tables: readonly string[];
  readonly apply: ApplyEvents;
  /** Which events `apply` does anything with; all of them unless given. */
  readonly concerns?: (event: RecordedEvent) => boolean;
}

export interface ShadowTools {
  readonly store: TranscriptStore;
  /** At least two connections. */
  readonly pool: Pool;
  /** Hears how many events were applied so far. */
  readonly onProgress?: (events: number) => void;
}

/** Another process builds a shadow of the same projection. */
export class ShadowHeldError extends Error {
  readonly code = 'SHADOW_HELD';
  constructor(name: string) {
    super(
      `The projection ${name} is being rebuilt, examined or archived from by another process; wait for its end.`,
    );
  }
}

/** How long the swap waits for the reader in service to finish its page, and how often it is tried. */
const swap = Object.freeze({ attempts: 5, lockPolls: 500, pollMs: 10 });

/**
 * A second edition of a projection, built from the beginning of the log beside the one in service, which goes on. It can be compared with that
 * one, or take its place. Nothing but its tables is touched: readers with effects have names and checkpoints of their own.
 */
export class ProjectionShadow {
  private readonly reader: string;
  private applied = 0;

  private constructor(
    private readonly projection: Projection,
    private readonly tools: ShadowTools,
    private readonly shadow: ShadowTables,
  ) {
    this.reader = `${projection.name}/shadow`;
  }

  /** Makes an empty shadow, works with it and removes it. What a killed process left behind is removed first. */
  static async with<T>(
    projection: Projection,
    tools: ShadowTools,
    work: (shadow: ProjectionShadow) => Promise<T>,
  ): Promise<T> {
    const holder = await tools.pool.connect();
    try {
      await hold(holder, projection.name);
      const { rows } = await holder.query<{ live: string }>('select quote_ident(current_schema()) as live');
      const schema = `offshoot_shadow_${projection.name.replaceAll('-', '_')}`;
      const tables = { schema, live: rows[0]?.live ?? 'public', tables: projection.tables };
      const shadow = new ProjectionShadow(projection, tools, tables);
      await shadow.clear();
      await inTransaction(tools.pool, (client) => createShadow(client, tables));
      return await work(shadow).finally(() => shadow.clear());
    } finally {
      // Given back by name: a connection that is merely closed keeps its lock until the server notices.
      await holder.query('select pg_advisory_unlock_all()').then(
        () => holder.release(),
        () => holder.release(true),
      );
    }
  }

  /** Applies what the log holds up to `place` and the shadow does not. */
  async catchUpTo(place: LogPlace): Promise<void> {
    for (let next = await this.nextPage(place); next !== null; next = await this.nextPage(place)) {
      const page = { reader: this.reader, ...next };
      await applyPage(this.tools.pool, page, (client, events) => this.apply(client, events));
    }
  }

  /** Applies everything that the log holds now. */
  async catchUp(): Promise<void> {
    const end = await this.tools.store.logEnd();
    if (end !== null) await this.catchUpTo(end);
  }

  /** Brings the shadow to where the reader in service stands, and answers what differs between the two. */
  async differences(upTo: 'reader' | 'log'): Promise<readonly string[]> {
    const { pool } = this.tools;
    const place = upTo === 'log' ? null : await readCheckpoint(pool, this.projection.name);
    if (place !== null) await this.catchUpTo(place);
    else if (upTo === 'log') await this.catchUp();
    return inTransaction(pool, (client) => shadowDifferences(client, this.shadow));
  }

  /**
   * Takes the place of the tables in service together with their checkpoint, in one transaction, not behind where they stood. A reader that
   * was in the middle of a page finds its checkpoint moved and goes on from the new one.
   */
  async replaceLive(): Promise<void> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        await inTransaction(this.tools.pool, (client) => this.replaceIn(client));
        return;
      } catch (thrown) {
        if (attempt >= swap.attempts || !isLockTimeout(thrown)) throw thrown;
      }
    }
  }

  private async replaceIn(client: PoolClient): Promise<void> {
    const { name } = this.projection;
    await awaitReaderLock(client, name);
    const live = await readCheckpoint(client, name);
    const end = live ?? (await readCheckpoint(client, this.reader));
    for (
      let next = await this.nextPage(end, client);
      next !== null;
      next = await this.nextPage(end, client)
    ) {
      await this.apply(client, next.events);
      await saveCheckpoint(client, this.reader, next.next);
    }
    await swapShadow(client, this.shadow);
    await moveCheckpoint(client, this.reader, name);
  }

  private async apply(client: PoolClient, events: readonly RecordedEvent[]): Promise<void> {
    await seeShadow(client, this.shadow);
    // As a reader in service: what is damaged says nothing.
    await this.projection.apply(client, events.filter(isSound));
    await client.query(`set local search_path to ${this.shadow.live}`);
    this.applied += events.length;
    this.tools.onProgress?.(this.applied);
  }

  /** The events behind the shadow's checkpoint, none past `end`; null when there are none. */
  private async nextPage(
    end: LogPlace | null,
    client: Pool | PoolClient = this.tools.pool,
  ): Promise<{ after: LogPlace | null; next: LogPlace; events: readonly RecordedEvent[] } | null> {
    const after = await readCheckpoint(client, this.reader);
    if (end === null || (after !== null && compareLogPlaces(after, end) >= 0)) return null;
    const page = await this.tools.store.readLog(after);
    const events = page.events.filter(({ place }) => compareLogPlaces(place, end) <= 0);
    const next = events.at(-1)?.place;
    return next === undefined ? null : { after, next, events };
  }

  private async clear(): Promise<void> {
    await inTransaction(this.tools.pool, async (client) => {
      await dropShadow(client, this.shadow.schema);
      await deleteCheckpoint(client, this.reader);
    });
  }
}

async function hold(client: ClientBase, name: string): Promise<void> {
  const { rows } = await client.query<{ taken: boolean }>(
    `select pg_try_advisory_lock(hashtextextended('offshoot shadow ' || $1, 0)) as taken`,
    [name],
  );
  if (rows[0]?.taken !== true) throw new ShadowHeldError(name);
}

async function awaitReaderLock(client: PoolClient, name: string): Promise<void> {
  for (let poll = 0; !(await takeReaderLock(client, name)); poll += 1) {
    if (poll >= swap.lockPolls) throw new Error(`The reader ${name} did not end its page.`);
    await pause(swap.pollMs);
  }
}

/** lock_not_available */
const isLockTimeout = (thrown: unknown): boolean =>
  thrown instanceof Error && 'code' in thrown && thrown.code === '55P03';
