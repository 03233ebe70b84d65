import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { createHash } from 'node:crypto';
import type { Pool } from 'pg';
import { createPool } from '../../store/postgres/create-pool.js';
import { holdTransaction } from '../../store/postgres/testing/held-transaction.js';
import { openTestLog, type TestLog } from '../../store/postgres/testing/open-test-log.js';
import { newAppend, newEvent, newId, wholeStream } from '../../testing/new-events.js';
import type { StreamHead } from '../../events/recorded-event.js';
import { dropTree } from './drop-tree.js';
import { sweepBlobs } from './sweep-blobs.js';

const patience = 60_000;

describe('payloads of what was archived', () => {
  let log: TestLog;
  let pool: Pool;
  let text: string;

  beforeAll(async () => {
    log = await openTestLog();
    pool = createPool({ url: log.url, max: 4 });
  }, patience);
  beforeEach(async () => {
    await pool.query('truncate event, blob_chunk, blob_leftover');
    text = JSON.stringify({ text: newId().repeat(50_000) });
  });
  afterAll(async () => {
    await pool.end();
    await log.close();
  });

  const record = async (data: string): Promise<string> => {
    const request = newAppend({ events: [newEvent({ data })] });
    const result = await log.store.append(request);
    if (!result.ok) throw new Error(result.reason);
    heads.set(request.stream, result.head);
    return request.stream;
  };
  const heads = new Map<string, StreamHead>();
  const drop = async (stream: string): Promise<void> => {
    const tools = { pool, columns: [], readers: [], projections: [] };
    const only = new Map([...heads].filter(([id]) => id === stream));
    const lookedUpTo = { generation: 1, xid: 0n, position: 0n };
    expect(
      await dropTree(tools, { root: stream, tenant: 'tenant-a', heads: only, lookedUpTo }),
    ).toMatchObject({
      ok: true,
    });
  };
  const age = () => pool.query(`update blob_chunk set saved_at = saved_at - interval '2 hours'`);
  const count = async (table: string): Promise<number> => {
    const { rows } = await pool.query<{ rows: number }>(`select count(*)::int as rows from ${table}`);
    return rows[0]?.rows ?? -1;
  };
  const chunks = () => count('blob_chunk');

  it('are deleted when no event refers to them any more', async () => {
    const stream = await record(text);
    await age();
    await drop(stream);
    expect(await chunks()).toBeGreaterThan(1);
    expect(await sweepBlobs(pool)).toBe(1);
    expect([await chunks(), await count('blob_leftover')]).toEqual([0, 0]);
  });

  it('stay for another event with the same payload, and for a picture that a call of another agent shows', async () => {
    const [first, other] = [await record(text), await record(text)];
    const { hash } = await log.store.saveBlob(Buffer.from('a picture'));
    const picture = { mediaType: 'image/png', blob: hash, sizeBytes: 9 };
    // The other one is shown by a result that is a payload itself.
    const seen = async (content = ''): Promise<string> => {
      const data = JSON.stringify({ content, picture });
      const request = newAppend({ events: [newEvent({ type: 'ToolCallFinished', data })] });
      const result = await log.store.append(request);
      if (result.ok) heads.set(request.stream, result.head);
      return request.stream;
    };
    const [shown, again] = [await seen(), await seen('y'.repeat(1_500_000))];
    await age();
    await drop(first);
    await drop(shown);
    expect(await sweepBlobs(pool)).toBe(0);
    expect(await count('blob_leftover')).toBe(0);
    expect((await wholeStream(log.store, other))[0]?.data).toBe(text);
    expect(await log.store.readBlob(hash)).not.toBeNull();
    await drop(other);
    await drop(again);
    expect(await sweepBlobs(pool)).toBe(3);
    expect(await chunks()).toBe(0);
  });

  it('wait for a later sweep while somebody may be about to refer to them', async () => {
    const stream = await record(text);
    await drop(stream);
    expect(await sweepBlobs(pool)).toBe(0);
    expect([(await chunks()) > 0, await count('blob_leftover')]).toEqual([true, 1]);
    await age();
    // Asked for again, and its event comes later: the sweep in between leaves it alone.
    const { hash } = await log.store.saveBlob(Buffer.from(text));
    expect(await sweepBlobs(pool)).toBe(0);
    expect(createHash('sha256').update(text).digest('hex')).toBe(hash);
    const again = await record(text);
    expect((await wholeStream(log.store, again))[0]?.data).toBe(text);
    await age();
    expect(await sweepBlobs(pool)).toBe(0);
    expect([(await chunks()) > 0, await count('blob_leftover')]).toEqual([true, 0]);
  });

  it('that are asked for while they are deleted are there again afterwards', async () => {
    const stream = await record(text);
    await age();
    await drop(stream);
    const held = await holdTransaction(log.url);
    await held.query('delete from blob_chunk');
    const saving = log.store.saveBlob(Buffer.from(text));
    await held.query('select pg_sleep(0.2)');
    await held.commit();
    const { hash } = await saving;
    expect((await log.store.readBlob(hash))?.length).toBe(Buffer.byteLength(text));
  });
});
