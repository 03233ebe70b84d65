import { expect, it } from '@jest/globals';
import { printArchive } from './print-archive.js';

const gone = (root: string) => ({ root, file: `${root}.jsonl`, agents: 1, events: 9 });
const summaryOf = (archived: readonly string[], payloads: number): string | undefined =>
  printArchive({ archived: archived.map(gone), kept: [], payloads }, false)
    .trimEnd()
    .split('\n')
    .at(-1);

it('the summary of an archiving counts one as one and several as several', () => {
  expect(summaryOf(['a'], 1)).toBe(
    '1 session archived, 0 kept; 1 payload that nobody refers to any more was deleted.',
  );
  expect(summaryOf(['a', 'b'], 2)).toBe(
    '2 sessions archived, 0 kept; 2 payloads that nobody refers to any more were deleted.',
  );
  expect(summaryOf([], 0)).toBe('0 sessions archived, 0 kept.');
});
