import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { fuzzProfiles } from './fuzz-profiles.js';

const { values } = parseArgs({
  options: { runs: { type: 'string', default: '100000' }, seed: { type: 'string' } },
});
const runs = Number(values.runs);
const seed = values.seed === undefined ? Date.now() % 2 ** 32 : Number(values.seed);
if (!Number.isSafeInteger(runs) || !Number.isSafeInteger(seed))
  throw new Error('--runs and --seed are whole numbers.');

const report = await fuzzProfiles({ runs, seed, swapScript: join(import.meta.dirname, 'swap-loop.js') });
const shown = report.violations.slice(0, 20);
console.log(JSON.stringify({ ...report, violations: report.violations.length }));
for (const violation of shown) console.error(JSON.stringify(violation));
if (report.violations.length > 0) process.exitCode = 1;
