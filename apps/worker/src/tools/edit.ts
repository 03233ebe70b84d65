import type { BigIntStats } from 'node:fs';
import { openConfinedFile } from './confined-handle.js';
import { answered, defineTool, failed } from './define-tool.js';
import { type FileProblem, refused } from './file-problem.js';
import { displayPath } from './locate-path.js';
import { isBinary } from './read-text.js';
import { replaceText } from './replace-text.js';
import { writeConfined } from './write-confined.js';

interface Given {
  readonly path: string;
  readonly old_string: string;
  readonly new_string: string;
  readonly replace_all?: boolean;
}

interface Version {
  readonly ok: true;
  readonly text: string;
  readonly seen: BigIntStats;
}

const OUTPUT_CAP = 2_000;
const LARGEST_BYTES = 10_485_760n;

/** Reads a whole file together with the version it had; what is not exactly UTF-8 would not survive being written back. */
async function readVersion(projectRoot: string, path: string): Promise<Version | FileProblem> {
  const file = await openConfinedFile(projectRoot, path);
  if (!file.ok) return file;
  try {
    const seen = await file.handle.stat({ bigint: true });
    if (seen.size > LARGEST_BYTES)
      return refused(
        path,
        `has ${seen.size.toString()} bytes: files of at most ${LARGEST_BYTES.toString()} bytes are edited`,
      );
    const bytes = await file.handle.readFile();
    if (isBinary(bytes)) return refused(path, 'is a binary file: only text is edited');
    const text = bytes.toString();
    return Buffer.from(text).equals(bytes)
      ? { ok: true, text, seen }
      : refused(path, 'is not UTF-8: only UTF-8 text is edited');
  } finally {
    await file.handle.close();
  }
}

/** Replaces one exact piece of a file, atomically, and only if nobody changed the file in between. */
export const edit = defineTool<Given>(
  {
    name: 'edit',
    description:
      'Replaces an exact piece of text in a file of the project. old_string must match the file letter by letter, whitespace included, and must be unique in it unless replace_all is true. Read the file first.',
    parameters: JSON.stringify({
      type: 'object',
      properties: {
        path: { type: 'string', description: 'The file, relative to the project root; it must exist.' },
        old_string: {
          type: 'string',
          description: 'The exact text to replace, with enough lines around it to be unique.',
        },
        new_string: { type: 'string', description: 'The text to put in its place.' },
        replace_all: { type: 'boolean', description: 'Replace every occurrence; default false.' },
      },
      required: ['path', 'old_string', 'new_string'],
      additionalProperties: false,
    }),
    readOnly: false,
    idempotent: false,
    destructive: true,
    outputCap: OUTPUT_CAP,
  },
  async ({ path, old_string, new_string, replace_all = false }, { projectRoot }) => {
    const version = await readVersion(projectRoot, path);
    if (!version.ok) return failed(version.problem);
    const replaced = replaceText(version.text, old_string, new_string, replace_all);
    if (!replaced.ok) return failed(replaced.problem);
    const written = await writeConfined(projectRoot, path, replaced.text, version.seen);
    if (!written.ok) return failed(written.problem);
    const times = replaced.count === 1 ? 'once' : `${replaced.count} times`;
    return answered(`Changed ${displayPath(written.root, written.real)} (replaced ${times}).`, OUTPUT_CAP);
  },
);
