import { describe, expect, it } from '@jest/globals';
import { parseListFile, readToolList } from './read-tool-list.js';
import { UsageError } from './usage-error.js';

describe('the list of the flags', () => {
  it('[POL-1] [POL-2] keeps no list and the empty list apart', async () => {
    expect(await readToolList({})).toEqual({ given: false });
    expect(await readToolList({ tools: false })).toEqual({ given: true, list: [] });
  });

  it('is what was written, with nothing trimmed and nothing skipped', async () => {
    expect(await readToolList({ tools: 'a, b,' })).toEqual({ given: true, list: ['a', ' b', ''] });
  });

  it('is given once', async () => {
    await expect(readToolList({ tools: 'a', toolsFile: 'b' })).rejects.toThrow(UsageError);
  });

  it('fails where its file cannot be read, and never becomes no list', async () => {
    await expect(readToolList({ toolsFile: '/no/such/file' })).rejects.toThrow('/no/such/file');
  });
});

describe('a list file', () => {
  it.each([
    ['a JSON array', '["a","b"]\n', ['a', 'b']],
    ['one entry a line', 'a\nb\n', ['a', 'b']],
    ['CRLF line ends', 'a\r\nb\r\n', ['a', 'b']],
    ['blank lines, which are bad entries', 'a\n\n b\n', ['a', '', ' b']],
    ['nothing: the empty list', '', []],
    ['an object, which is no list', '{"a":true}', { a: true }],
  ])('holds %s', (_what, text, list) => {
    expect(parseListFile(text)).toEqual(list);
  });

  it('that begins like JSON and is none is refused', () => {
    expect(() => parseListFile('["a"')).toThrow(UsageError);
  });
});
