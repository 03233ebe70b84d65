import { expect, it } from '@jest/globals';
import { formatTable } from './format-table.js';

it('lines up its columns and ends no line in blanks', () => {
  expect(
    formatTable(
      ['A', 'B'],
      [
        ['long', ''],
        ['x', 'y'],
      ],
    ),
  ).toBe('A     B\nlong\nx     y\n');
});

it('shows what would move the cursor or turn the text', () => {
  expect(formatTable(['A'], [['a\u001b[2Jb\u202ec']])).toBe('A\na\\u001b[2Jb\\u202ec\n');
});
