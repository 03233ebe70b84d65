import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { join } from 'node:path';
import { bundleScript, type BundledScript } from '../support/bundle-script.js';
import { fuzzProfiles } from './fuzz-profiles.js';

let swapLoop: BundledScript;
beforeAll(async () => {
  swapLoop = await bundleScript(join(import.meta.dirname, 'swap-loop.ts'));
});
afterAll(() => swapLoop.remove());

const aMinute = 60_000;

it(
  '[T18] [T20] changed, linked and oversized profiles show nothing from outside and say no more than another strict reader allows',
  async () => {
    const report = await fuzzProfiles({
      runs: 3_000,
      seed: 20_261_130,
      swapShare: 0,
      swapScript: swapLoop.path,
    });
    expect(report.violations).toEqual([]);
    // What never gets through, or never gets stopped, is not tried.
    expect(report.accepted).toBeGreaterThan(100);
    expect(Object.keys(report.refused)).toEqual(
      expect.arrayContaining([
        'file',
        'size',
        'encoding',
        'frontmatter',
        'body',
        'yaml',
        'keys',
        'name',
        'tools',
      ]),
    );
  },
  aMinute,
);

it(
  '[T18] files and folders swapped by another process between check and read show nothing from outside',
  async () => {
    const report = await fuzzProfiles({ runs: 2_000, seed: 7, swapShare: 1, swapScript: swapLoop.path });
    expect(report.violations).toEqual([]);
    expect(report.swapsAccepted).toBeGreaterThan(0);
    expect(report.swapsRefused['file']).toBeGreaterThan(0);
  },
  aMinute,
);
