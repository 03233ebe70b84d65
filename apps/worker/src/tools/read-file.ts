import { openConfinedFile } from './confined-handle.js';
import { answered, defineTool, failed } from './define-tool.js';
import { LinePage, type Page, type PageRequest } from './line-page.js';
import { isBinary, readChunks } from './read-text.js';
import type { FileHandle } from 'node:fs/promises';

interface Given {
  readonly path: string;
  readonly offset?: number;
  readonly limit?: number;
}

const OUTPUT_CAP = 60_000;
const DEFAULT_LINES = 2_000;
// Leaves room in the cap for the sentence below the page.
const PAGE_CODE_POINTS = OUTPUT_CAP - 1_000;

/** One page of an open file, or nothing when the file is binary. */
async function readPage(
  handle: FileHandle,
  request: PageRequest,
  signal: AbortSignal,
): Promise<Page | undefined> {
  const page = new LinePage(request);
  const decoder = new TextDecoder();
  for await (const chunk of readChunks(handle, signal)) {
    if (isBinary(chunk)) return undefined;
    if (!page.push(decoder.decode(chunk, { stream: true }))) return page.finish();
  }
  page.push(decoder.decode());
  return page.finish();
}

function showPage(page: Page, request: PageRequest, sizeBytes: number): string {
  if (page.text === '' && sizeBytes > 0) return `[The file has no line ${request.offset}.]`;
  if (page.text === '') return '[The file is empty.]';
  const cut = page.isLineCut
    ? ['A line is longer than a page: only its beginning is shown, grep_search finds what is in it.']
    : [];
  const more = page.next === undefined ? [] : [`More follows: go on with offset ${page.next}.`];
  const notes = [...cut, ...more];
  if (notes.length === 0) return page.text;
  return `${page.text}${page.text.endsWith('\n') ? '' : '\n'}[${notes.join(' ')}]`;
}

/** Reads a text file a page at a time; nothing but the page is held in memory. */
export const readFileTool = defineTool<Given>(
  {
    name: 'read_file',
    description:
      'Reads a text file of the project and returns its lines exactly as they are, without line numbers. At most 2000 lines are returned unless limit says otherwise; when more follows, the end of the result names the offset to go on with. Binary files are refused. Use grep_search to find something in large files and list_directory for directories.',
    parameters: JSON.stringify({
      type: 'object',
      properties: {
        path: { type: 'string', description: 'The file, relative to the project root.' },
        offset: {
          type: 'integer',
          minimum: 1,
          description: 'The first line to return; 1 is the first line of the file.',
        },
        limit: {
          type: 'integer',
          minimum: 1,
          description: 'How many lines to return at most; default 2000.',
        },
      },
      required: ['path'],
      additionalProperties: false,
    }),
    readOnly: true,
    idempotent: true,
    destructive: false,
    outputCap: OUTPUT_CAP,
  },
  async ({ path, offset = 1, limit = DEFAULT_LINES }, { projectRoot, signal }) => {
    const file = await openConfinedFile(projectRoot, path);
    if (!file.ok) return failed(file.problem);
    try {
      const request = { offset, limit, budget: PAGE_CODE_POINTS };
      const { size } = await file.handle.stat();
      const page = await readPage(file.handle, request, signal);
      if (page === undefined)
        return failed(`${JSON.stringify(path)} is a binary file of ${size} bytes: only text is read.`);
      return answered(showPage(page, request, size), OUTPUT_CAP);
    } finally {
      await file.handle.close();
    }
  },
);
