import { linkSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { insideTool, plainProfile, profileFolder, swappedNames } from './playground.js';
import { randomFrom } from './random.js';

// A process of its own that swaps what stands under the names, by renames, without a pause, until its parent goes:
// regular file, link to the same name outside, FIFO; and now and then the whole folder for a link that leads out.
const [swapped = '', outside = '', fifo = '', seed = '0'] = process.argv.slice(2);
const random = randomFrom(Number(seed));
const folder = profileFolder(swapped);
let parked = false;

function swapFile(): void {
  const name = random.pick(swappedNames);
  const fresh = join(folder, 'fresh');
  rmSync(fresh, { force: true });
  const kind = random.below(8);
  if (kind === 0) linkSync(fifo, fresh);
  else if (kind < 5) symlinkSync(join(outside, `${name}.md`), fresh);
  else writeFileSync(fresh, plainProfile(name, insideTool));
  renameSync(fresh, join(folder, `${name}.md`));
}

function swapFolder(): void {
  renameSync(folder, `${folder}.parked`);
  symlinkSync(outside, folder);
  parked = true;
}

function swapFolderBack(): void {
  rmSync(folder);
  renameSync(`${folder}.parked`, folder);
  parked = false;
}

function step(): void {
  if (parked) swapFolderBack();
  else if (random.chance(0.05)) swapFolder();
  else swapFile();
}

function burst(): void {
  for (let left = 200; left > 0; left -= 1) step();
  setImmediate(burst);
}

process.on('disconnect', () => process.exit(0));
for (const name of swappedNames) writeFileSync(join(folder, `${name}.md`), plainProfile(name, insideTool));
process.send?.('ready');
burst();
