import { describe, expect, it } from '@jest/globals';
import { described } from './described.js';
import { didYouMean } from './did-you-mean.js';
import { nameList } from './name-list.js';
import { cut, quoted, quotedList } from './quoted.js';

describe('text of others in a message', () => {
  it.each([
    ['short enough stays whole', 'abc', 3, 'abc'],
    ['one too long ends in an ellipsis', 'abcd', 3, 'ab…'],
    ['is never cut through a pair', 'a😀bc', 3, 'a…'],
    ['all before the pair stays', 'abc😀d', 5, 'abc…'],
    ['a pair before the cut stays', '😀bcd', 4, '😀b…'],
    ['a pair in the middle is no reason to cut more', 'a😀bcd', 5, 'a😀b…'],
    ['without room nothing is left', 'abc', 0, '…'],
  ])('%s', (_what, text, limit, expected) => {
    expect(cut(text, limit)).toBe(expected);
  });

  it.each([
    ['abc', '"abc"'],
    ['a"b', '"a\\"b"'],
    ['a\\b', '"a\\\\b"'],
    ['a\nb\u2028c', '"a\\u{a}b\\u{2028}c"'],
    ['\u202Eevil', '"\\u{202e}evil"'],
    ['a\uD800', '"a\\u{d800}"'],
    ['研究', '"研究"'],
    ['x'.repeat(121), `"${'x'.repeat(119)}…"`],
  ])('%j stands on one line in quotes', (text, expected) => {
    expect(quoted(text)).toBe(expected);
  });

  it('of several names the first are shown and the rest is counted', () => {
    expect(quotedList([])).toBe('');
    expect(quotedList(['a', 'b'])).toBe('"a", "b"');
    expect(quotedList(['a', 'b'], 2)).toBe('"a", "b"');
    expect(quotedList(['a', 'b', 'c', 'd'], 2)).toBe('"a", "b" and 2 more');
  });
});

it.each([
  ['a text', '"a text"'],
  [undefined, 'nothing'],
  [null, 'null'],
  [[[[]]], 'a list'],
  [{ a: 1 }, 'an object'],
  [7, '7'],
  [false, 'false'],
  [7n, 'a bigint'],
  [Symbol('x'), 'a symbol'],
])('a value of any shape has a name: %p', (value, expected) => {
  // In a list of its own, so that a list among the rows is one argument.
  expect(described(value)).toBe(expected);
});

describe('the name that was probably meant', () => {
  const known = ['fork_tools', 'promptHint', 'name'];
  it.each([
    ['forkTools', 'fork_tools'],
    ['FORK-TOOLS', 'fork_tools'],
    ['prompt_hint', 'promptHint'],
    ['nam', 'name'],
    ['names', 'name'],
    ['nome', 'name'],
    ['ame', 'name'],
    ['xname', 'name'],
    ['nme', 'name'],
  ])('%s is probably %s', (written, meant) => {
    expect(didYouMean(written, known)).toBe(meant);
  });

  it.each(['na', 'naems', 'nomi', 'eman', 'namexx', 'amen', '', 'tools', 'name'.repeat(20)])(
    '%j is close to nothing',
    (written) => {
      expect(didYouMean(written, known)).toBeNull();
    },
  );

  it('a name that is equal but for its spelling wins over one that is an edit away', () => {
    expect(didYouMean('na-me', ['nam', 'name'])).toBe('name');
  });

  it('texts longer than a name can be are not compared', () => {
    const long = 'x'.repeat(64);
    expect(didYouMean(long, [long])).toBe(long);
    expect(didYouMean(`${long}x`, [`${long}x`])).toBeNull();
  });
});

describe('a bounded list of names', () => {
  it('names as many as fit, and counts the rest', () => {
    expect(nameList(['a', 'b', 'c'], 3, 100)).toBe('a, b, c');
    expect(nameList(['a', 'b', 'c'], 2, 100)).toBe('a, b and 1 more');
    expect(nameList(['a', 'b', 'c'], 3, 12)).toBe('a, b, c');
    expect(nameList(['aaaa', 'bbbb', 'cccc'], 3, 15)).toBe('aaaa and 2 more');
  });

  it('is empty when there is none, or none fits', () => {
    expect(nameList([], 3, 100)).toBe('');
    expect(nameList(['aaaa'], 3, 3)).toBe('');
    expect(nameList(['aaaa'], 0, 100)).toBe('');
  });
});
