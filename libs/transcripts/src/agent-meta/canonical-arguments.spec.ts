import { expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { canonicalArguments } from './canonical-arguments.js';

it('one value has one spelling, whatever the order and the white space', () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (value) => {
      const turned = Object.fromEntries(Object.entries(value).reverse());
      const spelled = JSON.stringify(turned, null, 2);
      // Longer arguments are compared as they are written, so two spellings of them are two calls.
      fc.pre(spelled.length <= 4_096);
      expect(canonicalArguments(spelled)).toBe(canonicalArguments(JSON.stringify(value)));
    }),
  );
});

it('never throws, and keeps different values apart', () => {
  fc.assert(fc.property(fc.string(), (text) => typeof canonicalArguments(text) === 'string'));
  expect(canonicalArguments('['.repeat(4_000))).toBe('['.repeat(4_000));
  expect(canonicalArguments('{"a":1}')).not.toBe(canonicalArguments('{"a":2}'));
  expect(canonicalArguments(`{"a":"${'x'.repeat(5_000)}"}`)).toContain('xxx');
});
