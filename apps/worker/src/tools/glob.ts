import { realpath } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { globbyStream } from 'globby';
import { answered, defineTool, failed } from './define-tool.js';
import { displayPath, isInside, locateExisting, type LocatedPath } from './locate-path.js';

interface Given {
  readonly pattern: string;
  readonly path?: string;
}

interface Found {
  readonly paths: string[];
  readonly isCut: boolean;
}

const OUTPUT_CAP = 30_000;
const MOST_PATHS = 1_000;
const LONGEST_MS = 60_000;

const OPTIONS = {
  gitignore: true,
  dot: true,
  ignore: ['**/.git/**'],
  followSymbolicLinks: false,
  expandDirectories: false,
  suppressErrors: true,
};

/** A pattern can name a link on its way, so each folder that it led to is compared by its real path. */
function insideOnly(root: string): (path: string) => Promise<boolean> {
  const judged = new Map<string, Promise<boolean>>();
  const judge = async (folder: string): Promise<boolean> => {
    try {
      return isInside(root, await realpath(folder));
    } catch {
      return false;
    }
  };
  return (path) => {
    const folder = dirname(path);
    const verdict = judged.get(folder) ?? judge(folder);
    judged.set(folder, verdict);
    return verdict;
  };
}

/** Collects paths until there are enough of them or the time is up; rejects when the call is cancelled. */
async function findPaths(pattern: string, base: LocatedPath, signal: AbortSignal): Promise<Found> {
  const paths: string[] = [];
  const isAllowed = insideOnly(base.root);
  const timeUp = AbortSignal.timeout(LONGEST_MS);
  const options = { signal: AbortSignal.any([signal, timeUp]) };
  const stream = Readable.from(globbyStream(pattern, { ...OPTIONS, cwd: base.real }), options);
  try {
    for await (const entry of stream as AsyncIterable<string>) {
      const path = join(base.real, entry);
      if (!(await isAllowed(path))) continue;
      if (paths.length === MOST_PATHS) return { paths, isCut: true };
      paths.push(displayPath(base.root, path));
    }
  } catch (error) {
    if (!timeUp.aborted) throw error;
    return { paths, isCut: true };
  }
  return { paths, isCut: false };
}

/** Finds files by pattern, ignored ones left out. */
export const glob = defineTool<Given>(
  {
    name: 'glob',
    description:
      'Finds files of the project by a glob pattern such as "src/**/*.ts" and returns their paths, relative to the project root and sorted. Files that .gitignore names are left out; links are not followed. Use grep_search to search in the content of files.',
    parameters: JSON.stringify({
      type: 'object',
      properties: {
        pattern: {
          type: 'string',
          minLength: 1,
          description: 'The pattern, relative to path; "**" goes through directories.',
        },
        path: {
          type: 'string',
          description: 'The directory to search in, relative to the project root; default the root.',
        },
      },
      required: ['pattern'],
      additionalProperties: false,
    }),
    readOnly: true,
    idempotent: true,
    destructive: false,
    outputCap: OUTPUT_CAP,
  },
  async ({ pattern, path = '.' }, { projectRoot, signal }) => {
    if (/^!?\/|(^|[/{,!])\.\.($|[/},])/.test(pattern))
      return failed('The pattern leads out of the project: give one relative to path, without "..".');
    const base = await locateExisting(projectRoot, path);
    if (!base.ok) return failed(base.problem);
    const { paths, isCut } = await findPaths(
      pattern,
      base,
      AbortSignal.any([signal, AbortSignal.timeout(LONGEST_MS)]),
    );
    if (paths.length === 0) return answered('[No file matches.]', OUTPUT_CAP);
    const note = isCut
      ? [`[Only the first ${MOST_PATHS} files that were found are shown: narrow the pattern.]`]
      : [];
    return answered([...paths.sort(), ...note].join('\n'), OUTPUT_CAP);
  },
);
