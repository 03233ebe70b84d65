// What the specs of this library import from `@jest/globals`, without Jest around it: the bundle of `every-spec.ts` takes these in its place.
// Titles are left out: a mutant is killed or it is not.
export { expect } from 'expect';

type Test = (...row: readonly unknown[]) => unknown;

const tests: (() => unknown)[] = [];

/** Takes in the tests of a block. */
export const describe = Object.assign((_title: string, block: () => void) => block(), {
  each: (rows: readonly unknown[]) => (_title: string, block: Test) => {
    for (const row of rows) block(...asArguments(row));
  },
});

/** Takes in a test, or one for each row. */
export const it = Object.assign((_title: string, test: Test) => void tests.push(test), {
  each: (rows: readonly unknown[]) => (_title: string, test: Test) => {
    for (const row of rows) tests.push(() => test(...asArguments(row)));
  },
});

/** Runs what was taken in, in order; throws what the first failing test throws. Answers how many passed. */
export async function runTests(): Promise<number> {
  for (const test of tests) await test();
  return tests.length;
}

const asArguments = (row: unknown): readonly unknown[] => (Array.isArray(row) ? row : [row]);
