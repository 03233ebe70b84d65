import { expect, it } from '@jest/globals';
import fc from 'fast-check';
import { parseAllowlist } from '../allowlist/parse-allowlist.js';
import { forkGate } from '../testing/fixtures.js';
import { partitionBatch } from './partition-batch.js';

it('the text of a refusal stays bounded and on one line whatever the tools that may run are called', () => {
  const names = fc.array(fc.string({ unit: 'binary', minLength: 1, maxLength: 300 }), { maxLength: 12 });
  fc.assert(
    fc.property(names, (given) => {
      const entries = given.filter((name) => parseAllowlist([name]).ok && !name.includes('*'));
      const declared = [...entries, 'x-edit'].map((name) => ({ name }));
      const gate = forkGate(declared, [...entries, 'unknown']);
      const [refused] = partitionBatch([{ id: '1', name: 'x-edit' }], gate).refused;
      expect(refused?.response.error.length).toBeLessThanOrEqual(240);
      expect(refused?.response.error).not.toMatch(/[\p{Cc}\p{Zl}\p{Zp}]/u);
    }),
    { numRuns: 2_000 },
  );
});
