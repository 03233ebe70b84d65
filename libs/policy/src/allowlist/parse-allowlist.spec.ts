import { describe, expect, it } from '@jest/globals';
import { conformanceTable } from '../testing/conformance.js';
import { rejectionOf, valueOf } from '../testing/fixtures.js';
import { parseAllowlist, printAllowlist } from './parse-allowlist.js';

interface Row {
  id: string;
  why: string;
  entries: unknown;
  expect: 'accept' | 'refuse';
}

describe('the entry grammar, row by row', () => {
  it.each(conformanceTable<Row[]>('wildcard-syntax.json'))('$id: $why', (row) => {
    expect(parseAllowlist(row.entries).ok).toBe(row.expect === 'accept');
  });
});

it('names every bad entry once, in order, as written', () => {
  const rejection = rejectionOf(parseAllowlist(['ok', ' a', '*', 'b*', ' a', 7]));
  expect(rejection.offenders).toEqual([' a', '*', 'b*', '7']);
  for (const shown of ['" a"', '"*"', '"b*"', '7 is not a string'])
    expect(rejection.message).toContain(shown);
  expect(rejection.message).not.toContain('"ok"');
});

it('[POL-2] anything but a list is refused, never read as no list', () => {
  for (const value of [undefined, null, '', 'read_file', {}, { length: 0 }, 0, false, new Set()]) {
    expect(rejectionOf(parseAllowlist(value)).code).toBe('ALLOWLIST_INVALID');
  }
});

it('a hole in a list is an entry that is not a string', () => {
  expect(parseAllowlist(new Array(2)).ok).toBe(false);
});

it('[T11] entries with surrounding white space are refused', () => {
  for (const entry of [' read_file', 'read_file\n', '\u00a0read_file', ' ', '\ufeffread_file']) {
    expect(parseAllowlist([entry]).ok).toBe(false);
  }
});

it('[E11] a list nested 100,000 deep is refused without touching the stack', () => {
  let deep: unknown = 'read_file';
  for (let level = 0; level < 100_000; level += 1) deep = [deep];
  expect(rejectionOf(parseAllowlist([deep])).offenders).toEqual(['a list']);
});

it('keeps a copy: a change of the given list changes nothing', () => {
  const given = ['read_file'];
  const allowlist = valueOf(parseAllowlist(given));
  given.push('edit');
  expect(printAllowlist(allowlist)).toEqual(['read_file']);
  expect(Object.isFrozen(allowlist.entries)).toBe(true);
});

describe('the rejection of a list', () => {
  const forms =
    'Accepted are exact tool names, "mcp__<server>", "mcp__<server>__<tool>", "mcp__<server>__<prefix>*" and "mcp__*", each at most ' +
    '512 characters, at most 1000 of them.';

  it('says what came in place of a list, and what is accepted', () => {
    const { message, offenders } = rejectionOf(parseAllowlist('glob'));
    expect(message).toBe(`A tool list must be a list of strings, not "glob". ${forms}`);
    expect(offenders).toEqual([]);
  });

  it('counts a list that is too long and names none of it', () => {
    const { message, offenders } = rejectionOf(parseAllowlist(Array.from({ length: 1001 }, () => 'glob')));
    expect(message).toBe(`The tool list has 1001 entries. ${forms}`);
    expect(offenders).toEqual([]);
  });

  it('says of each bad entry what is wrong with it', () => {
    const { message } = rejectionOf(parseAllowlist(['*x', 'glob', '', '*x', 7]));
    expect(message).toBe(
      `"*x" uses a star outside the MCP namespace; "" is empty; 7 is not a string. ${forms}`,
    );
  });

  it.each([
    [100, /"x99\*" uses a star outside the MCP namespace\. Accepted/],
    [101, /"x99\*" uses a star outside the MCP namespace; and 1 more\. Accepted/],
    [103, /"x99\*" uses a star outside the MCP namespace; and 3 more\. Accepted/],
  ])('of %d bad entries spells out a hundred at most, and lists all as offenders', (count, ending) => {
    const entries = Array.from({ length: count }, (_, index) => `x${index}*`);
    const { message, offenders } = rejectionOf(parseAllowlist(entries));
    expect(message).toMatch(ending);
    expect(message).not.toContain('"x100*"');
    expect(offenders).toEqual(entries);
  });
});
