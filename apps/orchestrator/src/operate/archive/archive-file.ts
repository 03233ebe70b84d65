import { createReadStream } from 'node:fs';
import { access, type FileHandle, link, lstat, mkdir, open, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { errorCode } from '#platform';
import { type FileSurvey, splitLines, type StreamHead, surveyFile, type TranscriptStore } from '#transcripts';
import { onFile } from './archive-file-fault.js';

export type Heads = ReadonlyMap<string, StreamHead>;

/** Where the file of a session is, in the folder of archives. */
export const archivePath = (folder: string, root: string): string => join(folder, `${root}.jsonl`);

export interface FileToWrite {
  readonly path: string;
  /** Tells it apart from what an archiving of another database writes at the same time, so that none takes the other's file for its own. */
  readonly writer: string;
  readonly lines: AsyncIterable<string>;
  readonly heads: Heads;
  /** Whether it takes the place of a file; else there is none, and one that came meanwhile stays. */
  readonly replaces: boolean;
  /** Asked when the file is whole, before it takes its name and with it the place of an earlier one; throws where it may not. */
  readonly mayName: () => Promise<boolean>;
}

/** `held` says which file has the name now. Else there is no new file: an agent is not in it as it should be, or the name is another file's. */
export type WrittenArchive =
  { readonly held: HeldFile } | { readonly unlike: string } | { readonly isTaken: true };

/** A file under its name, told apart from another one that takes its place. */
export interface HeldFile {
  readonly path: string;
  readonly inode: bigint;
}

/**
 * Writes a portable file of one tree, reads it back and compares it with what it was to hold. Only a file that is whole gets its name, and only
 * when it is on the disk, name and all. Throws `ArchiveFileFault` for what the disk refuses.
 */
export async function writeArchive(file: FileToWrite): Promise<WrittenArchive> {
  const { path, writer, lines, heads } = file;
  const part = `${path}.${writer}.part`;
  await onFile(path, () => mkdir(dirname(path), { recursive: true }));
  try {
    await onFile(part, () => removeLeft(part));
    await writeThrough(part, lines);
    const wrong = unlike(headsOf(await survey(part)) ?? new Map(), heads);
    if (wrong !== null) return { unlike: wrong };
    const inode = await onFile(part, () => inodeOf(part));
    if (!(await file.mayName()) || !(await onFile(path, () => name(part, file)))) return { isTaken: true };
    await onFile(path, () => syncFolder(dirname(path)));
    return { held: { path, inode } };
  } finally {
    await onFile(part, () => rm(part, { force: true }));
  }
}

/** Removes a file that nothing was dropped for, unless another one has its name by now. */
export const removeArchive = ({ path, inode }: HeldFile): Promise<void> =>
  onFile(path, async () => {
    if ((await inodeOf(path).catch(() => null)) === inode) await rm(path);
  });

/** What a run left that was killed may be a whole file too, under a second name: it is not written over. */
async function removeLeft(part: string): Promise<void> {
  const left = await lstat(part).catch(() => null);
  if (left?.isFile() === true) await rm(part);
}

/** False where a file has the name that was to be free. A link takes no place of another file; where a disk knows none, nothing better is left. */
async function name(part: string, { path, replaces }: FileToWrite): Promise<boolean> {
  if (replaces) return rename(part, path).then(() => true);
  try {
    await link(part, path);
    return true;
  } catch (thrown) {
    const code = errorCode(thrown) ?? '';
    if (code === 'EEXIST') return false;
    if (!withoutLinks.has(code)) throw thrown;
    return rename(part, path).then(() => true);
  }
}

const withoutLinks: ReadonlySet<string> = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS']);

const inodeOf = async (path: string): Promise<bigint> => (await stat(path, { bigint: true })).ino;

/**
 * Whether a file may take the place of the one of this name: there is none, or it holds nothing but an earlier state of the same transcripts. A file
 * that is not whole, or that holds something else, was not left by an archiving of this log.
 */
export async function standing(
  store: TranscriptStore,
  path: string,
  heads: Heads,
): Promise<'absent' | 'earlier' | 'other'> {
  if (!(await exists(path))) return 'absent';
  const found = headsOf(await survey(path));
  for (const [agentId, head] of found ?? [])
    if (!(await isEarlier(store, agentId, head, heads))) return 'other';
  return found === null ? 'other' : 'earlier';
}

async function isEarlier(
  store: TranscriptStore,
  agentId: string,
  head: StreamHead,
  now: Heads,
): Promise<boolean> {
  if ((now.get(agentId)?.version ?? 0) < head.version) return false;
  const [event] = (await store.readStream(agentId, head.version - 1, 1)).events;
  return event?.hash === head.hash;
}

const survey = (path: string): Promise<FileSurvey> =>
  onFile(path, () => surveyFile(splitLines(createReadStream(path))));

const exists = (path: string): Promise<boolean> =>
  onFile(path, () =>
    access(path).then(
      () => true,
      (thrown: unknown) => {
        if (errorCode(thrown) === 'ENOENT') return false;
        throw thrown;
      },
    ),
  );

/** What a file holds when it is whole and holds one tree; else null. */
function headsOf({ trees: [tree, second], tear }: FileSurvey): Heads | null {
  if (tree === undefined || second !== undefined || tear !== null) return null;
  if (tree.fault !== null || tree.absentBlobs.length > 0) return null;
  return new Map(tree.agents.map(({ agentId, head }) => [agentId, head]));
}

/** An agent of which the file does not hold exactly what it should; null when it is all there and nothing else. */
function unlike(found: Heads, heads: Heads): string | null {
  const agents = new Set([...found.keys(), ...heads.keys()]);
  return [...agents].find((agentId) => !isSame(found.get(agentId), heads.get(agentId))) ?? null;
}

const isSame = (a: StreamHead | undefined, b: StreamHead | undefined): boolean =>
  a?.version === b?.version && a?.hash === b?.hash;

const bufferedLength = 1024 * 1024;

/** Transcripts are for their owner alone. */
const mode = 0o600;

async function writeThrough(path: string, lines: AsyncIterable<string>): Promise<void> {
  await withFile(await onFile(path, () => open(path, 'w', mode)), async (file) => {
    const write = (text: readonly string[]): Promise<void> =>
      onFile(path, () => file.appendFile(text.join('')));
    let buffered: string[] = [];
    let length = 0;
    for await (const line of lines) {
      buffered.push(line);
      length += line.length;
      if (length < bufferedLength) continue;
      await write(buffered);
      [buffered, length] = [[], 0];
    }
    await write(buffered);
    await onFile(path, () => file.sync());
  });
}

const syncFolder = async (folder: string): Promise<void> =>
  withFile(await open(folder, 'r'), (file) => file.sync());

const withFile = (file: FileHandle, work: (file: FileHandle) => Promise<void>): Promise<void> =>
  work(file).finally(() => file.close());
