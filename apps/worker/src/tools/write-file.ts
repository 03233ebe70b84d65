import { answered, defineTool, failed } from './define-tool.js';
import { displayPath } from './locate-path.js';
import { writeConfined } from './write-confined.js';

interface Given {
  readonly path: string;
  readonly content: string;
}

const OUTPUT_CAP = 2_000;

/** Writes a whole file, new or not. Not run again after a crash: somebody may have changed the file since. */
export const writeFileTool = defineTool<Given>(
  {
    name: 'write_file',
    description:
      'Writes a whole text file of the project, replacing what was in it; missing directories are made. Use edit to change a part of a file that exists.',
    parameters: JSON.stringify({
      type: 'object',
      properties: {
        path: { type: 'string', description: 'The file, relative to the project root.' },
        content: { type: 'string', description: 'The complete new content.' },
      },
      required: ['path', 'content'],
      additionalProperties: false,
    }),
    readOnly: false,
    idempotent: false,
    destructive: true,
    outputCap: OUTPUT_CAP,
  },
  async ({ path, content }, { projectRoot }) => {
    const written = await writeConfined(projectRoot, path, content);
    if (!written.ok) return failed(written.problem);
    const verb = written.isNew ? 'Created' : 'Replaced';
    return answered(
      `${verb} ${displayPath(written.root, written.real)} (${Buffer.byteLength(content)} bytes).`,
      OUTPUT_CAP,
    );
  },
);
