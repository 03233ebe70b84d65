import { linkSync, mkdirSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brokenOutside, type Playground } from './playground.js';
import type { Random } from './random.js';

/** What stands under a profile's name: its own content, or something that no launch may read. */
export type Layout =
  | 'regular'
  | 'link_inside'
  | 'link_outside'
  | 'link_chain'
  | 'link_special'
  | 'link_loop'
  | 'fifo'
  | 'directory'
  | 'sparse'
  | 'missing';

const unreadable: readonly Layout[] = [
  'link_outside',
  'link_outside',
  'link_chain',
  'link_special',
  'link_loop',
  'fifo',
  'directory',
  'sparse',
  'missing',
];
const special = ['/dev/zero', '/dev/null', '/proc/self/environ', '/etc/passwd', '/', '.', '..'];

/** A layout by chance: most files can be read, since most of what can go wrong is in their bytes. */
export function anyLayout(random: Random): Layout {
  if (random.chance(0.75)) return random.chance(0.9) ? 'regular' : 'link_inside';
  return random.pick(unreadable);
}

/** True when the content itself is what a launch reads. */
export const isReadable = (layout: Layout): boolean => layout === 'regular' || layout === 'link_inside';

export interface FileToPlace {
  readonly name: string;
  readonly bytes: Buffer;
  readonly layout: Layout;
}

interface Place {
  readonly folder: string;
  readonly path: string;
  readonly bytes: Buffer;
  readonly fifo: string;
  /** Where a link outside leads, relative or absolute. */
  readonly outside: string;
  readonly random: Random;
}

const place: Readonly<Record<Layout, (at: Place) => void>> = {
  regular: ({ path, bytes }) => {
    writeFileSync(path, bytes);
  },
  link_inside: ({ path, bytes, folder, random }) => {
    const target = join(folder, 'target');
    writeFileSync(target, bytes);
    symlinkSync(random.chance(0.5) ? target : 'target', path);
  },
  link_outside: ({ path, outside }) => {
    symlinkSync(outside, path);
  },
  link_chain: ({ path, outside, folder }) => {
    rmSync(join(folder, 'hop'), { force: true });
    symlinkSync(outside, join(folder, 'hop'));
    symlinkSync('hop', path);
  },
  link_special: ({ path, random }) => {
    symlinkSync(random.pick(special), path);
  },
  link_loop: ({ path }) => {
    symlinkSync(path, path);
  },
  fifo: ({ path, fifo }) => {
    linkSync(fifo, path);
  },
  directory: ({ path }) => {
    mkdirSync(path);
  },
  sparse: ({ path, bytes, random }) => {
    writeFileSync(path, bytes);
    truncateSync(path, random.pick([65_537, 10_000_000, 2 ** 40]));
  },
  missing: () => undefined,
};

/** Puts the layout under the name, in place of what stood there. */
export function placeFile({ folder, outside, fifo }: Playground, file: FileToPlace, random: Random): void {
  const path = join(folder, `${file.name}.md`);
  rmSync(path, { recursive: true, force: true });
  const outsideName = random.chance(0.6) ? `${file.name}.md` : random.pick(brokenOutside);
  const outsideFolder = random.chance(0.5) ? outside : join('..', '..', '..', 'outside');
  const { bytes, layout } = file;
  place[layout]({ folder, path, bytes, fifo, outside: join(outsideFolder, outsideName), random });
}
