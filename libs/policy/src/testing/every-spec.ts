import { readdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { runTests } from './light-globals.js';

// All example specs of the library in one plain process that ends with the first failure, for mutation testing alone: each mutant gets a
// process of its own, also one that acts while a module loads, at a tenth of what a run of Jest costs.
const ending = '.spec.ts';
const specs = readdirSync(dirname(import.meta.dirname), { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith(ending) && !path.endsWith(`.properties${ending}`))
  .map((path) => path.slice(0, -ending.length))
  .sort();
// The bundler reads the pattern and takes in all files that it can mean.
for (const spec of specs) await import(`../${spec}.spec.ts`);
if ((await runTests()) === 0) throw new Error('No spec was found.');
