import { readdirSync } from 'node:fs';
import { dirname } from 'node:path';

// All example specs of the library as one test file, for mutation testing alone: each mutant is judged by a run of its own, and a run that
// loads one bundle costs a tenth of one that loads every spec, source and package by itself.
const ending = '.spec.ts';
const specs = readdirSync(dirname(import.meta.dirname), { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith(ending) && !path.endsWith(`.properties${ending}`))
  .map((path) => path.slice(0, -ending.length))
  .sort();
// The bundler reads the pattern and takes in all files that it can mean.
for (const spec of specs) await import(`../${spec}.spec.ts`);
