import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { link, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { exportOutlines, outlineTrees } from '#agents';
import { loadMeta } from '#transcripts';
import { createTestDatabase } from '../../../../../test/support/test-database.js';
import { archivePath, type FileToWrite, type Heads, removeArchive, writeArchive } from './archive-file.js';
import { ArchivingLock } from './archiving-lock.js';
import { ArchiveHarness } from './testing/archive-harness.js';

describe('[LOG-4] archivings of two databases that hold the same session, into one folder', () => {
  let harness: ArchiveHarness;
  let folder: string;
  let path: string;
  let lines: readonly string[];
  let heads: Heads;

  beforeAll(async () => {
    harness = await ArchiveHarness.open();
    const { session, all } = await harness.endedFamily(1);
    const { store } = harness;
    const cut = await store.logEnd();
    if (cut === null) throw new Error('The log is empty.');
    const written: string[] = [];
    for await (const line of exportOutlines(store, await outlineTrees(store, cut, session)))
      written.push(line);
    lines = written;
    const metas = await Promise.all(all.map((agentId) => loadMeta(store, agentId)));
    heads = new Map(metas.map(({ agentId, head }) => [agentId, head]));
  });
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'offshoot-archive-file-'));
    path = archivePath(folder, 'session');
  });
  afterAll(() => harness.close());

  /** Writes the file; `halfWay` is done when one half of it is on its way. */
  const write = (writer: string, given: Partial<FileToWrite> = {}, halfWay = () => Promise.resolve()) =>
    writeArchive({
      ...{ path, writer, heads, replaces: false, mayName: () => Promise.resolve(true) },
      lines: (async function* () {
        for (const [n, line] of lines.entries()) {
          if (n === Math.floor(lines.length / 2)) await halfWay();
          yield line;
        }
      })(),
      ...given,
    });
  const text = (): Promise<string> => readFile(path, 'utf8');

  it('each write a file of their own: the first that is whole has the name, and the other one leaves it as it is', async () => {
    let second: unknown = null;
    const first = await write('one', {}, async () => {
      second = await write('other');
      expect(await text()).toBe(lines.join(''));
    });
    expect(second).toMatchObject({ held: { path } });
    expect(first).toEqual({ isTaken: true });
    expect(await text()).toBe(lines.join(''));
    expect(await readdir(folder)).toEqual(['session.jsonl']);
    await rm(folder, { recursive: true });
  });

  it('one whose drop was refused removes its own file, and not the one that took its place', async () => {
    const own = await write('one');
    const other = await write('other', { replaces: true });
    if (!('held' in own && 'held' in other)) throw new Error('Both were to be written.');
    await removeArchive(own.held);
    expect(await text()).toBe(lines.join(''));
    await removeArchive(other.held);
    await removeArchive(other.held);
    expect(await readdir(folder)).toEqual([]);
    await rm(folder, { recursive: true });
  });

  it('what a killed one left of its work is not written over where it is the file by a second name', async () => {
    await write('one');
    await link(path, `${path}.one.part`);
    const refused = { replaces: true, mayName: () => Promise.resolve(false) };
    expect(await write('one', refused, async () => expect(await text()).toBe(lines.join('')))).toEqual({
      isTaken: true,
    });
    expect(await text()).toBe(lines.join(''));
    expect(await readdir(folder)).toEqual(['session.jsonl']);
    await rm(folder, { recursive: true });
  });

  it('are told apart by their databases, whenever they are asked', async () => {
    const other = await createTestDatabase();
    const writerOf = (url: string): Promise<string> =>
      ArchivingLock.with(url, (lock) => Promise.resolve(lock.writer));
    const own = await writerOf(harness.database.url);
    expect(own).toMatch(/^\d+-\d+$/);
    expect(await writerOf(harness.database.url)).toBe(own);
    expect(await writerOf(other.url)).not.toBe(own);
    await other.drop();
  });
});
