import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
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

it('what is printed is parsed to the same list', () => {
  const entry = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 40 }),
    fc
      .tuple(
        fc.constantFrom('mcp__', 'mcp_', ''),
        fc.string(),
        fc.constantFrom('__', '_', ''),
        fc.string(),
        fc.constantFrom('*', ''),
      )
      .map((parts) => parts.join('')),
  );
  fc.assert(
    fc.property(fc.array(entry, { maxLength: 8 }), (entries) => {
      const first = parseAllowlist(entries);
      if (!first.ok) return;
      expect(printAllowlist(first.value)).toEqual(entries);
      expect(parseAllowlist(printAllowlist(first.value))).toEqual(first);
    }),
    { numRuns: 2000 },
  );
});
