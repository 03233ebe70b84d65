import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import { importFile, type ImportReport, loadMeta } from '#transcripts';
import { event, newId } from '#transcripts/testing';
import {
  asFile,
  linesOf,
  openLog,
  type OpenedLog,
  parsed,
  record,
  resealed,
  untilInSight,
} from './testing/opened-log.js';

const patience = 60_000;
const partBytes = 262_144;
const history = join(
  import.meta.dirname,
  '../../../../test/histories/0.1-kill-approval-refusal-resume.jsonl',
);

const recordOf = (line: string): unknown => parsed(line)['record'];
const isBlob = (line: string): boolean => recordOf(line) === 'blob';

describe('the blobs that events name', () => {
  let source: OpenedLog;
  let target: OpenedLog;
  let session: string;
  let fork: string;
  let picture: Buffer;
  let hash: string;
  let lines: string[];

  beforeAll(async () => {
    [source, target] = await Promise.all([openLog(), openLog()]);
  }, patience);
  beforeEach(async () => {
    [session, fork] = [newId(), newId()];
    picture = Buffer.concat([Buffer.from(newId()), Buffer.alloc(2 * partBytes, 0xff)]);
    ({ hash } = await source.log.store.saveBlob(picture));
    await makeFork();
    lines = await linesOf(source.log.store, session);
  });
  afterAll(async () => {
    await source.close();
    await target.close();
  });

  it('[LOG-3] travel with them, each once, and are the same bytes there', async () => {
    expect((await take(lines)).trees).toMatchObject([{ outcome: 'imported', lostBlobs: [] }]);
    expect(picture.equals((await target.log.store.readBlob(hash)) ?? Buffer.alloc(0))).toBe(true);
    expect(lines.filter(isBlob)).toHaveLength(3);
    expect(parsed(lines.at(-1) ?? '')).toMatchObject({ blobs: 1 });
  });

  it('stand a part a line right before the event that names them', () => {
    const first = lines.findIndex(isBlob);
    const next = parsed(lines[first + 3] ?? '');
    expect(lines.slice(first, first + 3).map((line) => parsed(line)['part'])).toEqual([0, 1, 2]);
    expect(next).toMatchObject({ record: 'event', type: 'ToolCallFinished', version: 5 });
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThan(400_000);
  });

  it('mend a damaged copy that is there already', async () => {
    await target.log.store.saveBlob(picture);
    await target.pool.query(
      `update blob_chunk set bytes = 'x' where hash = decode($1, 'hex') and chunk = 1`,
      [hash],
    );
    await take(lines);
    expect(picture.equals((await target.log.store.readBlob(hash)) ?? Buffer.alloc(0))).toBe(true);
  });

  it.each([
    ['behind the first part of a blob', 1],
    ['behind the last part of a blob', 3],
  ])('torn %s, take the event that needs them along, and it is said', async (_where, parts) => {
    const end = lines.findIndex(isBlob) + parts;
    const { tear, trees } = await take([...lines.slice(0, end), (lines[end] ?? '').slice(0, 200)]);
    expect(tear).toEqual({ line: end + 1, reason: 'cut' });
    expect(trees).toMatchObject([{ outcome: 'recovered', lost: [{ agentId: fork, from: 5, to: 6 }] }]);
    expect(await loadMeta(target.log.store, fork)).toMatchObject({ blocked: { reason: 'import_torn' } });
    expect(await target.log.store.readBlob(hash)).toBeNull();
  });

  it('altered and sealed again, refuse their tree and leave nothing behind', async () => {
    const first = lines.findIndex(isBlob);
    const bytes = Buffer.alloc(partBytes, 1).toString('base64');
    const { trees } = await take(lines.with(first, resealed(lines[first] ?? '', { bytes })));
    expect(trees).toMatchObject([{ outcome: 'refused', code: 'BLOB_ALTERED' }]);
    expect(trees[0]?.message).toContain(hash);
    await expectNothing();
  });

  it('taken out of the file, refuse their tree: what is named must be there or be said to be lost', async () => {
    const without = lines.filter((line) => !isBlob(line));
    const { trees } = await take(without);
    expect(trees).toMatchObject([{ outcome: 'refused', code: 'BLOB_MISSING' }]);
    expect(trees[0]?.message).toContain(`Version 5 of agent ${fork} names blob ${hash}`);
    await expectNothing();
  });

  it.each([
    ['a part that comes twice', (at: number) => lines.toSpliced(at + 1, 0, lines[at] ?? '')],
    ['a part that is left out', (at: number) => lines.toSpliced(at + 1, 1)],
    ['another event behind a blob', (at: number) => lines.toSpliced(at + 3, 0, lines[at - 1] ?? '')],
    ['a blob before the first tree', (at: number) => lines.toSpliced(1, 0, lines[at] ?? '')],
    [
      'a part of another size',
      (at: number) =>
        lines.with(at, resealed(lines[at] ?? '', { bytes: Buffer.alloc(7).toString('base64') })),
    ],
  ])('do not stand where they cannot: %s', async (_what, change) => {
    const { tear } = await take(change(lines.findIndex(isBlob)));
    expect(tear).toMatchObject({ reason: 'out_of_place' });
    expect(await target.log.store.readBlob(hash)).toBeNull();
  });

  it.each([
    ['missing', 'delete from blob_chunk where hash = decode($1, $2) and chunk = 0'],
    ['damaged', 'delete from blob_chunk where hash = decode($1, $2) and chunk = 2'],
  ])('that are %s where they are exported, are said to be lost there and here', async (fault, change) => {
    await source.pool.query(change, [hash, 'hex']);
    const file = await linesOf(source.log.store, session);
    expect(file.map(parsed)).toContainEqual(expect.objectContaining({ record: 'lost_blob', hash, fault }));
    const { trees } = await take(file);
    expect(trees).toMatchObject([{ outcome: 'imported' }]);
    expect(trees[0]?.lostBlobs).toEqual([
      { agentId: fork, version: 5, hash },
      { agentId: fork, version: 6, hash },
    ]);
  });

  it('are lost with a file of the first format, unless they are here', async () => {
    const old = lines
      .filter((line) => !isBlob(line))
      .map((line) => (recordOf(line) === 'export' ? resealed(line, { format: 'offshoot-export-1' }) : line))
      .map((line) => (recordOf(line) === 'end' ? resealed(line, { blobs: undefined }) : line));
    await target.log.store.saveBlob(picture);
    expect((await take(old)).trees).toMatchObject([{ outcome: 'imported', lostBlobs: [] }]);
    const other = await openLog();
    const report = await importFile({ store: other.log.store, pool: other.pool, newId }, asFile(old));
    await other.close();
    expect(report.trees).toMatchObject([
      { outcome: 'imported', lostBlobs: [{ version: 5 }, { version: 6 }] },
    ]);
  });

  it('[LOG-3] a file that an earlier release wrote is imported still', async () => {
    const tools = { store: target.log.store, pool: target.pool, newId };
    const report = await importFile(tools, () => createReadStream(history));
    expect(report).toMatchObject({ tear: null, trees: [{ outcome: 'imported', lostBlobs: [] }] });
  });

  const take = (file: readonly string[]): Promise<ImportReport> =>
    importFile({ store: target.log.store, pool: target.pool, newId }, asFile(file));

  async function expectNothing(): Promise<void> {
    expect(await target.log.store.readHeads([session, fork])).toEqual(new Map());
    expect(await target.log.store.readBlob(hash)).toBeNull();
  }

  /** Two results that name the same picture. */
  async function makeFork(): Promise<void> {
    const { store } = source.log;
    await record(store, session, event.sessionOpened({ sessionId: session }));
    await record(
      store,
      fork,
      event.agentLaunched({ agentId: fork, sessionId: session, parentId: session }),
      event.bootstrapRecorded(),
      event.launchPromptRecorded(),
    );
    const seen = event.toolCallFinished({
      picture: { mediaType: 'image/png', blob: hash, sizeBytes: picture.length },
    });
    const last = await record(store, fork, event.runStarted(), seen, seen);
    await untilInSight(store, fork, last.version);
  }
});
