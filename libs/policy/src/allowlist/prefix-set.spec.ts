import { describe, expect, it } from '@jest/globals';
import { PrefixSet } from './prefix-set.js';

describe('a set of prefixes', () => {
  const prefixes = ['read_', 'a', 'write', 'read_only_', 'ab', 'Z', 'write', '研', 'b_', 'c'];
  const set = new PrefixSet(prefixes);

  it.each([
    ['read_x', 'read_'],
    ['read_only_x', 'read_'],
    ['read_', 'read_'],
    ['read', null],
    ['readme', null],
    ['a', 'a'],
    ['abz', 'a'],
    ['A', null],
    ['Zoo', 'Z'],
    ['write', 'write'],
    ['writ', null],
    ['b', null],
    ['b_1', 'b_'],
    ['cz', 'c'],
    ['研究', '研'],
    ['', null],
    ['\uffff', null],
  ])('finds what covers %j: %j, the shortest', (text, prefix) => {
    expect(set.covering(text)).toBe(prefix);
  });

  it('that is empty covers nothing, whatever its name', () => {
    for (const text of ['', 'undefined', 'null', 'constructor'])
      expect(new PrefixSet([]).covering(text)).toBeNull();
  });

  it('with the empty prefix covers everything by it', () => {
    const all = new PrefixSet(['b', '', 'a']);
    expect(['', 'a', 'bc', 'z'].map((text) => all.covering(text))).toEqual(['', '', '', '']);
  });
});

it('a prefix that spells a missing value is a prefix', () => {
  expect(new PrefixSet(['undefined_']).covering('undefined_a')).toBe('undefined_');
});
