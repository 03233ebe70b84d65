import { realpath } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/** The real path of a file that may not exist yet: what exists of it is resolved, the rest is as written. */
export async function realTarget(path: string): Promise<string> {
  try {
    return await realpath(path);
  } catch {
    const parent = dirname(path);
    return parent === path ? path : join(await realTarget(parent), path.slice(parent.length));
  }
}
