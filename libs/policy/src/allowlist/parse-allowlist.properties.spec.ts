import { expect, it } from '@jest/globals';
import fc from 'fast-check';
import { parseAllowlist, printAllowlist } from './parse-allowlist.js';

it('what is printed is parsed to the same list', () => {
  const entry = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 40 }),
    fc
      .tuple(
        fc.constantFrom('mcp__', 'mcp_', ''),
        fc.string(),
        fc.constantFrom('__', '_', ''),
        fc.string(),
        fc.constantFrom('*', ''),
      )
      .map((parts) => parts.join('')),
  );
  fc.assert(
    fc.property(fc.array(entry, { maxLength: 8 }), (entries) => {
      const first = parseAllowlist(entries);
      if (!first.ok) return;
      expect(printAllowlist(first.value)).toEqual(entries);
      expect(parseAllowlist(printAllowlist(first.value))).toEqual(first);
    }),
    { numRuns: 10_000 },
  );
});
