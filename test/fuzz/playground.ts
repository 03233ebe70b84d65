import { execFileSync } from 'node:child_process';
import { createHash, randomUUID } from 'node:crypto';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Names that the runs take turns with. */
export const profileNames = ['ro-research', 'x1', 'A_b', '研究-ro', 'ü'.repeat(50)] as const;
/** Names that a second process swaps all the time. */
export const swappedNames = ['swap-0', 'swap-1', 'swap-2', 'swap-3'] as const;
/** What the second process puts inside the folder; whoever reads a swapped name may get nothing else. */
export const insideTool = 'inside_tool';

/** A project with its profile folder, and beside it files that no profile may ever show. */
export interface Playground {
  readonly project: string;
  readonly folder: string;
  readonly outside: string;
  /** A project whose names a second process swaps. */
  readonly swapped: string;
  /** Projects whose profile folder, or the folder above it, is a link that leads out. */
  readonly linkedOut: readonly string[];
  /** A FIFO that nobody writes to. */
  readonly fifo: string;
  /** In every file outside. */
  readonly canary: string;
  /** SHA-256 in hex of every file outside. */
  readonly outsideHashes: ReadonlySet<string>;
  remove(): Promise<void>;
}

/** A regular profile of the given name that lists one tool. */
export const plainProfile = (name: string, tool: string): string =>
  `---\nname: ${name}\ntools: [${tool}]\n---\n`;

/** Makes the playground in a new temporary folder. */
export async function makePlayground(): Promise<Playground> {
  const root = await mkdtemp(join(tmpdir(), 'offshoot-fuzz-'));
  const canary = `canary_${randomUUID().replaceAll('-', '')}`;
  const outside = join(root, 'outside');
  const project = join(root, 'project');
  const swapped = join(root, 'swapped');
  const folder = profileFolder(project);
  const linkedOut = [join(root, 'linked-folder'), join(root, 'linked-parent')] as const;
  for (const path of [outside, folder, profileFolder(swapped), join(linkedOut[0], '.qwen'), linkedOut[1]])
    await mkdir(path, { recursive: true });
  await symlink(outside, profileFolder(linkedOut[0]));
  await mkdir(join(root, 'parent'));
  await symlink(outside, join(root, 'parent', 'fork-profiles'));
  await symlink(join(root, 'parent'), join(linkedOut[1], '.qwen'));
  const fifo = join(root, 'fifo');
  execFileSync('mkfifo', [fifo]);
  const outsideHashes = new Set<string>();
  for (const [name, text] of outsideFiles(canary)) {
    await writeFile(join(outside, name), text);
    outsideHashes.add(createHash('sha256').update(text).digest('hex'));
  }
  return {
    ...{ project, folder, outside, swapped, linkedOut, fifo, canary, outsideHashes },
    remove: () => rm(root, { recursive: true, force: true }),
  };
}

/** Where the profiles of a project lie. */
export const profileFolder = (project: string): string => join(project, '.qwen', 'fork-profiles');

/** Outside lie sound profiles, which a wrong read would accept, and broken ones, which a careless message would quote. */
function outsideFiles(canary: string): readonly (readonly [string, string])[] {
  const sound = [...profileNames, ...swappedNames].map(
    (name) => [`${name}.md`, plainProfile(name, canary)] as const,
  );
  return [
    ...sound,
    ['keys', `---\n${canary}: 1\nname: x1\ntools: []\n---\n`],
    ['entries', `---\nname: x1\ntools: ["${canary}*"]\n---\n`],
    ['yaml', `---\nname: x1\ntools: [${canary}\n---\n`],
    ['text', `${canary}\n`],
  ];
}

/** The broken files outside. */
export const brokenOutside = ['keys', 'entries', 'yaml', 'text'] as const;
