import { expect, it } from '@jest/globals';
import { readArguments } from './read-arguments.js';

const known = ['gate', 'log'];

it('no suite means all of them, and a suite named twice runs once', () => {
  expect(readArguments([], known)).toEqual({
    names: known,
    json: false,
    quick: false,
    write: false,
    rows: null,
  });
  expect(readArguments(['log', 'log', '--json'], known)).toMatchObject({ names: ['log'], json: true });
});

it('an unknown suite is refused by name, with what there is', () => {
  expect(() => readArguments(['gate', 'lag'], known)).toThrow('No such suite: lag. There are: gate, log.');
});

it('figures of a quick run are never written down', () => {
  expect(() => readArguments(['gate', '--quick', '--write'], known)).toThrow('not written down');
});

it('the number of stored events is a whole number within bounds, or is refused with them', () => {
  expect(readArguments(['log', '--rows', '5000000'], known)).toMatchObject({ rows: 5_000_000 });
  for (const rows of ['', '5e6', '-1', '9999', '1000000000', 'many'])
    expect(() => readArguments(['log', `--rows=${rows}`], known)).toThrow(
      'whole number from 10000 to 100000000',
    );
});
