import { errorCode, isRunning, StartRefusedError } from '#platform';
import { link, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';
import { DataDirHeldError } from './data-dir-held-error.js';
import type { SupervisorPids } from './supervisor-pids.js';

const holderSchema = z.object({
  pid: z.number().int().positive(),
  startedAt: z.string(),
  address: z.string().exactOptional(),
  /** When the operating system started the process: ids are used again. */
  processStart: z.string().exactOptional(),
});

/** A data directory that this process holds. */
export interface HeldDataDir {
  /** Tells other tools more, beside what was told before; the file stays readable by its owner alone. */
  publish(more: { readonly address?: string; readonly pids: SupervisorPids }): Promise<void>;
  release(): Promise<void>;
}

/** The path of the file in which the supervisor of a data directory tells of itself. */
export function supervisorFile(dataDir: string): string {
  return join(dataDir, 'supervisor.json');
}

/**
 * Takes the data directory for this process; a second supervisor would start a second set of workers over the
 * same database. A file left by a process that is gone is taken over. Throws `DataDirHeldError`, and `StartRefusedError` for a
 * directory that cannot be made or written.
 */
export async function holdDataDir(dataDir: string): Promise<HeldDataDir> {
  await orRefuse(dataDir, mkdir(dataDir, { recursive: true, mode: 0o700 }));
  const file = supervisorFile(dataDir);
  const draft = `${file}.new-${process.pid}`;
  const own = {
    pid: process.pid,
    startedAt: new Date().toISOString(),
    processStart: await processStart(process.pid),
  };
  const write = (record: object): Promise<void> =>
    writeFile(draft, `${JSON.stringify(record)}\n`, { mode: 0o600 });
  await orRefuse(dataDir, write(own));
  try {
    await take(draft, file, dataDir);
  } finally {
    await rm(draft, { force: true });
  }
  let told: object = own;
  let isReleased = false;
  // One after the other: they share the draft, and nothing may follow the release.
  let work: Promise<void> = Promise.resolve();
  const inTurn = (step: () => Promise<void>): Promise<void> =>
    (work = work.catch(() => undefined).then(step));
  return {
    publish: (more) =>
      inTurn(async () => {
        if (isReleased) return;
        told = { ...told, ...more };
        await write(told);
        await rename(draft, file);
      }),
    release: () =>
      inTurn(async () => {
        isReleased = true;
        await rm(file, { force: true });
      }),
  };
}

/** What keeps a folder from being made or written, in words. */
const unusable: Readonly<Record<string, string>> = {
  EACCES: 'cannot be written',
  EPERM: 'cannot be written',
  EROFS: 'cannot be written',
  ENOSPC: 'is on a full disk',
  EEXIST: 'is a file, not a folder',
  ENOTDIR: 'lies below a file',
};

async function orRefuse(dataDir: string, work: Promise<unknown>): Promise<void> {
  try {
    await work;
  } catch (error) {
    const code = errorCode(error) ?? '';
    const why = unusable[code];
    if (why === undefined) throw error;
    throw new StartRefusedError(`OFFSHOOT_DATA_DIR ${dataDir} ${why} (${code}).`, { cause: error });
  }
}

async function take(draft: string, file: string, dataDir: string): Promise<void> {
  for (;;) {
    try {
      // A link appears with its whole content, and fails when the name is taken.
      await link(draft, file);
      return;
    } catch (error) {
      if (errorCode(error) !== 'EEXIST') throw error;
    }
    const text = await readFile(file, 'utf8').catch(() => '');
    const holder = holderSchema.safeParse(parseJson(text));
    if (holder.success && (await isHeldBy(holder.data))) throw new DataDirHeldError(dataDir, holder.data);
    await rm(file, { force: true });
  }
}

async function isHeldBy(holder: z.infer<typeof holderSchema>): Promise<boolean> {
  if (!(await isRunning(holder.pid))) return false;
  return holder.processStart === undefined || holder.processStart === (await processStart(holder.pid));
}

/** In ticks since the machine started, where the system tells. */
async function processStart(pid: number): Promise<string | undefined> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => undefined);
  // Fields after the name in parentheses begin with the third; the start time is the 22nd.
  return stat?.slice(stat.lastIndexOf(')') + 2).split(' ')[19];
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
