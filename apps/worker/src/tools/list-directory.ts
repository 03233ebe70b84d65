import type { Dirent } from 'node:fs';
import { opendir } from 'node:fs/promises';
import { anchorOf, type ConfinedHandle, openConfinedDirectory } from './confined-handle.js';
import { answered, defineTool, failed } from './define-tool.js';

interface Given {
  readonly path?: string;
}

const OUTPUT_CAP = 30_000;
const MOST_ENTRIES = 2_000;

function label(entry: Dirent): string {
  if (entry.isDirectory()) return `${entry.name}/`;
  if (entry.isSymbolicLink()) return `${entry.name} (link)`;
  return entry.isFile() ? entry.name : `${entry.name} (special)`;
}

async function readEntries(
  directory: ConfinedHandle,
  signal: AbortSignal,
): Promise<{ labels: string[]; isCut: boolean }> {
  const labels: string[] = [];
  for await (const entry of await opendir(anchorOf(directory))) {
    signal.throwIfAborted();
    if (labels.length === MOST_ENTRIES) return { labels, isCut: true };
    labels.push(label(entry));
  }
  return { labels, isCut: false };
}

/** Lists one directory, not what is below it. */
export const listDirectory = defineTool<Given>(
  {
    name: 'list_directory',
    description:
      'Lists the names in one directory of the project, hidden ones too, sorted: directories end in "/", links and special files are marked. Does not go into subdirectories: use glob to find files by pattern.',
    parameters: JSON.stringify({
      type: 'object',
      properties: {
        path: {
          type: 'string',
          description: 'The directory, relative to the project root; default the root itself.',
        },
      },
      additionalProperties: false,
    }),
    readOnly: true,
    idempotent: true,
    destructive: false,
    outputCap: OUTPUT_CAP,
  },
  async ({ path = '.' }, { projectRoot, signal }) => {
    const directory = await openConfinedDirectory(projectRoot, path);
    if (!directory.ok) return failed(directory.problem);
    try {
      const { labels, isCut } = await readEntries(directory, signal);
      if (labels.length === 0) return answered('[The directory is empty.]', OUTPUT_CAP);
      const note = isCut ? [`[Only ${MOST_ENTRIES} names are shown: use glob with a pattern.]`] : [];
      return answered([...labels.sort(), ...note].join('\n'), OUTPUT_CAP);
    } finally {
      await directory.handle.close();
    }
  },
);
