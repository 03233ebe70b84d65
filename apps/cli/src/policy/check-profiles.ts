import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { LocalPolicyFiles } from '#agents';
import { parseProfileName, printAllowlist, type Profile, type Rejection } from '#policy';
import { locateFault } from './locate-fault.js';
import { UsageError } from './usage-error.js';

/** What the linter found about one file; `path` is relative to the project. */
export type CheckedProfile =
  | {
      readonly path: string;
      readonly ok: true;
      readonly name: string;
      readonly tools: readonly string[];
      readonly promptHint: string | null;
      readonly description: string | null;
    }
  | {
      readonly path: string;
      readonly ok: false;
      readonly code: string;
      readonly lines: readonly number[];
      readonly message: string;
      readonly offenders: readonly string[];
    };

/** All profile files of a project, and what lies beside them and is none. */
export interface CheckedProfiles {
  readonly folder: string;
  readonly profiles: readonly CheckedProfile[];
  readonly ignored: readonly string[];
}

/**
 * Reads every profile file of a project as a launch would and says what is wrong with it (spec 02 §4). A project without the folder has no
 * profiles; throws `UsageError` where there is no such project. `profileFolder` is relative to the project root.
 */
export async function checkProfiles(projectRoot: string, profileFolder: string): Promise<CheckedProfiles> {
  const folder = join(projectRoot, profileFolder);
  const names = (await namesIn(folder, projectRoot)).sort();
  const files = names.filter((name) => name.endsWith('.md'));
  const profiles: CheckedProfile[] = [];
  for (const file of files) profiles.push(await checkFile(projectRoot, profileFolder, file));
  return { folder, profiles, ignored: names.filter((name) => !name.endsWith('.md')) };
}

async function namesIn(folder: string, projectRoot: string): Promise<string[]> {
  const names = await readdir(folder).catch(() => null);
  if (names !== null) return names;
  if ((await readdir(projectRoot).catch(() => null)) === null)
    throw new UsageError(`There is no folder ${projectRoot} to read.`);
  return [];
}

async function checkFile(projectRoot: string, profileFolder: string, file: string): Promise<CheckedProfile> {
  const path = join(profileFolder, file);
  const name = parseProfileName(file.slice(0, -'.md'.length));
  if (!name.ok) return faulty(path, name.rejection, []);
  // The reader of a launch, so that the linter accepts what a launch accepts and nothing else.
  const trusting = { projectRoot, bareMode: false, safeMode: false };
  const profile = await new LocalPolicyFiles({ profileFolder }).readProfile(trusting, name.value);
  return profile.ok
    ? sound(path, profile.value)
    : faulty(path, profile.rejection, await linesOf(projectRoot, path, profile.rejection));
}

function sound(path: string, { name, tools, promptHint, description }: Profile): CheckedProfile {
  return { path, ok: true, name, tools: printAllowlist(tools), promptHint, description };
}

function faulty(
  path: string,
  { code, message, offenders }: Rejection,
  lines: readonly number[],
): CheckedProfile {
  return { path, ok: false, code, lines, message, offenders };
}

/** A file that may not be read is not opened again to count its lines. */
async function linesOf(projectRoot: string, path: string, rejection: Rejection): Promise<readonly number[]> {
  if (rejection.reason === 'file' || rejection.reason === 'size') return [];
  return locateFault(await readFile(join(projectRoot, path), 'utf8').catch(() => ''), rejection);
}
