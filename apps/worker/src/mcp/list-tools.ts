import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { z } from 'zod';

/** What a server lists, each tool as it was sent. */
export interface RawListing {
  readonly tools: readonly unknown[];
  /** Why the list was not read to its end. */
  readonly cut: string | null;
}

const MOST_PAGES = 200;
const MOST_TOOLS = 1_000;

// Nothing of a tool is judged here: the SDK's own schema refuses the whole page for one bad tool (field case M17).
const Page = z.looseObject({ tools: z.array(z.unknown()), nextCursor: z.string().nullish() });

/** Reads a list of tools page by page to its end (M07). A server without tools has none; one whose list never ends is cut. */
export async function listTools(client: Client): Promise<RawListing> {
  if (client.getServerCapabilities()?.tools === undefined) return { tools: [], cut: null };
  const tools: unknown[] = [];
  const seen = new Set<string>();
  for (;;) {
    const page = await readPage(client, [...seen].at(-1));
    tools.push(...page.tools.slice(0, MOST_TOOLS + 1 - tools.length));
    const cursor = page.nextCursor ?? '';
    const cut = findCut(tools.length, seen, cursor);
    if (cut !== null) return { tools: tools.slice(0, MOST_TOOLS), cut };
    // Servers in the wild end a list with an empty cursor.
    if (cursor === '') return { tools, cut: null };
    seen.add(cursor);
  }
}

function readPage(client: Client, cursor: string | undefined): Promise<z.infer<typeof Page>> {
  return client.request({ method: 'tools/list', params: cursor === undefined ? {} : { cursor } }, Page);
}

function findCut(count: number, seen: ReadonlySet<string>, next: string): string | null {
  if (count > MOST_TOOLS) return `more than ${MOST_TOOLS} tools are listed`;
  if (seen.has(next)) return 'a page of the list came twice';
  return seen.size < MOST_PAGES ? null : `the list has more than ${MOST_PAGES} pages`;
}
