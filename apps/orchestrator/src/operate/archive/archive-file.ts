import { createReadStream } from 'node:fs';
import { access, type FileHandle, mkdir, open, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { errorCode } from '#platform';
import { type FileSurvey, splitLines, type StreamHead, surveyFile, type TranscriptStore } from '#transcripts';
import { onFile } from './archive-file-fault.js';

export type Heads = ReadonlyMap<string, StreamHead>;

/** Where the file of a session is, in the folder of archives. */
export const archivePath = (folder: string, root: string): string => join(folder, `${root}.jsonl`);

export interface FileToWrite {
  readonly path: string;
  readonly lines: AsyncIterable<string>;
  readonly heads: Heads;
  /** Asked when the file is whole, before it takes its name and with it the place of an earlier one; throws where it may not. */
  readonly mayName: () => Promise<void>;
}

/**
 * Writes a portable file of one tree, reads it back and compares it with what it was to hold. Only a file that is whole gets its name, and only
 * when it is on the disk, name and all. Answers the agent that it does not hold as it should, and then there is no new file; else `null`. Throws
 * `ArchiveFileFault` for what the disk refuses.
 */
export async function writeArchive({ path, lines, heads, mayName }: FileToWrite): Promise<string | null> {
  const part = `${path}.part`;
  await onFile(path, () => mkdir(dirname(path), { recursive: true }));
  try {
    await writeThrough(part, lines);
    const wrong = unlike(headsOf(await survey(part)) ?? new Map(), heads);
    if (wrong !== null) return wrong;
    await mayName();
    await onFile(path, () => rename(part, path));
    await onFile(path, () => syncFolder(dirname(path)));
    return null;
  } finally {
    await onFile(part, () => rm(part, { force: true }));
  }
}

/** Removes a file that nothing was dropped for. */
export const removeArchive = (path: string): Promise<void> => onFile(path, () => rm(path, { force: true }));

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
