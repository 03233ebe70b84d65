import { expect, it } from '@jest/globals';
import { rejectionOf, valueOf } from '../testing/fixtures.js';
import { importLegacyPolicy } from './import-legacy-policy.js';

it('[POL-1] a sidecar without the field was unrestricted, and the import says that this was assumed', () => {
  expect(valueOf(importLegacyPolicy({ agentId: 'a' }))).toEqual({
    policy: { version: 1, kind: 'unrestricted' },
    isAssumed: true,
  });
});

it('[POL-2] an empty list in a sidecar stays an empty list', () => {
  expect(valueOf(importLegacyPolicy({ executionAllowedTools: [] }))).toMatchObject({
    policy: { kind: 'list', entries: [] },
    isAssumed: false,
  });
});

it.each([
  null,
  [],
  'x',
  { executionAllowedTools: null },
  { executionAllowedTools: 'glob' },
  { executionAllowedTools: ['*'] },
])('[POL-6] %j is refused, never read as unrestricted', (sidecar) => {
  expect(rejectionOf(importLegacyPolicy(sidecar)).code).toBe('LEGACY_POLICY_UNREADABLE');
});
