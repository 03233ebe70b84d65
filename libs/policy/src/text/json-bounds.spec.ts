import { expect, it } from '@jest/globals';
import { rejectionOf } from '../testing/fixtures.js';
import { ownFields } from './own-fields.js';
import { checkJsonBounds } from './json-bounds.js';

const nested = (depth: number) => JSON.parse(`${'['.repeat(depth)}${']'.repeat(depth)}`) as unknown;

it('[E11] accepts up to the depth and refuses one more, without recursion', () => {
  expect(checkJsonBounds(nested(64)).ok).toBe(true);
  for (const depth of [65, 1_500, 6_000, 100_000]) expect(checkJsonBounds(nested(depth)).ok).toBe(false);
});

it('counts every value, keys of objects included', () => {
  const bounds = { maxDepth: 4, maxNodes: 4 };
  expect(checkJsonBounds({ a: 1, b: [2] }, { ...bounds, maxNodes: 4 }).ok).toBe(true);
  expect(checkJsonBounds({ a: 1, b: [2, 3] }, bounds).ok).toBe(false);
});

it('[T09][N07] own fields are those of the object itself', () => {
  expect([...(ownFields(JSON.parse('{"__proto__":1,"constructor":2}')) ?? [])]).toEqual([
    ['__proto__', 1],
    ['constructor', 2],
  ]);
  expect(ownFields(Object.create({ inherited: 1 }))).toBeNull();
  expect(ownFields(new Map([['a', 1]]))).toBeNull();
  expect(ownFields(Object.create(null))?.size).toBe(0);
});

it('a scalar is a value like any other, and what is out of bounds is said', () => {
  const tight = { maxDepth: 0, maxNodes: 1 };
  for (const scalar of [null, 7, 'a', true]) expect(checkJsonBounds(scalar, tight).ok).toBe(true);
  expect(rejectionOf(checkJsonBounds([], tight)).message).toBe('The JSON has more than 0 levels of nesting.');
  expect(rejectionOf(checkJsonBounds(['abc', null], { maxDepth: 1, maxNodes: 2 })).message).toBe(
    'The JSON has more than 2 values.',
  );
  // A text has no values of its own, however long.
  expect(checkJsonBounds(['abc', null], { maxDepth: 1, maxNodes: 3 }).ok).toBe(true);
});
