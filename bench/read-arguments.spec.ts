import { expect, it } from '@jest/globals';
import { readArguments } from './read-arguments.js';

const known = ['gate', 'log'];

it('no suite means all of them, and a suite named twice runs once', () => {
  expect(readArguments([], known)).toEqual({ names: known, json: false, quick: false, write: false });
  expect(readArguments(['log', 'log', '--json'], known)).toMatchObject({ names: ['log'], json: true });
});

it('an unknown suite is refused by name, with what there is', () => {
  expect(() => readArguments(['gate', 'lag'], known)).toThrow('No such suite: lag. There are: gate, log.');
});

it('figures of a quick run are never written down', () => {
  expect(() => readArguments(['gate', '--quick', '--write'], known)).toThrow('not written down');
});
