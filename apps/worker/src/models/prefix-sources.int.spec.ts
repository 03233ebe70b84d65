import { describe, expect, it } from '@jest/globals';
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

const root = join(import.meta.dirname, '../../../..');
/** What makes the part of a request that is to be the same next time: history, declarations, and their rendering. */
const entries = [
  'apps/worker/src/models/render-openai.ts',
  'apps/worker/src/models/anthropic/render-anthropic.ts',
  'libs/agents/src/pure/history-builder.ts',
  'libs/agents/src/pure/inherited-history.ts',
  'libs/agents/src/pure/bind-surface.ts',
];
const libs = /from '#(policy)'/g;
const volatile =
  /\bnew Date\b|\bDate\.now\b|\bMath\.random\b|\brandom(?:UUID|Bytes|Int)\b|\bnewId\b|\bperformance\b|\bhrtime\b|\buuid/;

/** The files, and everything that they import, of the libs that they import too. */
async function sources(): Promise<ReadonlyMap<string, string>> {
  const found = new Map<string, string>();
  const open = [...entries];
  for (let file = open.pop(); file !== undefined; file = open.pop()) {
    if (found.has(file)) continue;
    const text = await readFile(join(root, file), 'utf8');
    found.set(file, text);
    for (const [, path = ''] of text.matchAll(/(?:from|import) '(\.[^']+)\.js'/g))
      open.push(join(dirname(file), `${path}.ts`));
    for (const [, lib = ''] of text.matchAll(libs)) open.push(`libs/${lib}/src/index.ts`);
  }
  return found;
}

describe('what the beginning of a request is made of', () => {
  it('[P03] knows no clock, no chance and no fresh id', async () => {
    const found = await sources();
    const guilty = [...found]
      .filter(([, text]) => volatile.test(withoutComments(text)))
      .map(([file]) => file);
    expect(found.size).toBeGreaterThan(60);
    expect(guilty).toEqual([]);
  });
});

const withoutComments = (text: string): string => text.replace(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, '');
