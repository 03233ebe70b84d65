import { describe, expect, it } from '@jest/globals';
import { conformanceTable } from '../testing/conformance.js';
import { policyOf, rejectionOf, valueOf } from '../testing/fixtures.js';
import { wireName } from '../wire-name.js';
import { CLOSED_CEILING, narrowCeiling, NO_CEILING } from './ceiling.js';
import { parseCeiling } from './parse-ceiling.js';
import { parseStoredPolicy } from './parse-stored-policy.js';
import { UNRESTRICTED } from './stored-policy.js';

interface Row {
  id: string;
  why: string;
  stored: unknown;
  expect: 'unrestricted' | 'list' | 'refuse';
}

describe('[POL-6] stored policies, row by row', () => {
  it.each(conformanceTable<{ stored: Row[] }>('allowlist-match.json').stored)('$id: $why', (row) => {
    const result = parseStoredPolicy(row.stored);
    expect(result.ok ? result.value.kind : 'refuse').toBe(row.expect);
  });
});

const tool = { server: 'repo.bad', tool: 'read' };
const bound = { kind: 'list', entries: [wireName(tool)], bindings: [{ wireName: wireName(tool), ...tool }] };

describe('[POL-6] what is not exactly a stored policy stops the run', () => {
  it.each([
    ['undefined', undefined],
    ['a version of later', { version: 2, kind: 'unrestricted' }],
    ['a version as text', { version: '1', kind: 'unrestricted' }],
    ['a version of null', { version: null, kind: 'unrestricted' }],
    ['a list beside "unrestricted"', { kind: 'unrestricted', entries: [] }],
    ['an unknown field', { kind: 'list', entries: [], mode: 'build' }],
    ['an inherited kind', Object.create({ kind: 'unrestricted' })],
    ['a kind hidden in __proto__', JSON.parse('{"__proto__":{"kind":"unrestricted"}}')],
    ['a kind in another case', { kind: 'Unrestricted' }],
    ['a kind in a list', { kind: ['unrestricted'] }],
    ['a padded entry', { kind: 'list', entries: [' read_file'] }],
    ['a list with a hole', { kind: 'list', entries: new Array(1) }],
    ['bindings that are null', { kind: 'list', entries: [], bindings: null }],
    ['a binding of an entry that is not listed', { ...bound, entries: [] }],
    ['a binding to another tool', { ...bound, bindings: [{ ...bound.bindings[0], server: 'repo/bad' }] }],
    ['a name bound twice', { ...bound, bindings: [...bound.bindings, ...bound.bindings] }],
    ['a binding with a field too many', { ...bound, bindings: [{ ...bound.bindings[0], more: 1 }] }],
    [
      'a binding of a raw form',
      { kind: 'list', entries: ['mcp__a__b'], bindings: [{ wireName: 'mcp__a__b', server: 'a', tool: 'b' }] },
    ],
  ])('%s', (_what, stored) => {
    expect(rejectionOf(parseStoredPolicy(stored)).code).toBe('STORED_POLICY_UNREADABLE');
  });
});

it('[T04] what was stored is read back as the same policy, through JSON', () => {
  for (const policy of [
    UNRESTRICTED,
    policyOf([]),
    policyOf(['read_file', 'mcp__a__*', 'read_file']),
    policyOf([wireName(tool)], [tool]),
  ]) {
    expect(valueOf(parseStoredPolicy(JSON.parse(JSON.stringify(policy))))).toEqual(policy);
  }
});

describe('[POL-6] ceilings', () => {
  it('are read back as stored, through JSON', () => {
    for (const ceiling of [NO_CEILING, CLOSED_CEILING]) {
      expect(valueOf(parseCeiling(JSON.parse(JSON.stringify(ceiling))))).toEqual(ceiling);
    }
  });

  it.each([
    undefined,
    null,
    [],
    'none',
    {},
    { kind: null },
    { kind: 'None' },
    { version: 2, kind: 'none' },
    { kind: 'none', names: [] },
    { kind: 'closed_list' },
    { kind: 'closed_list', names: 'glob' },
    { kind: 'closed_list', names: [7] },
    Object.create({ kind: 'none' }),
  ])('%j is no ceiling', (stored) => {
    expect(rejectionOf(parseCeiling(stored)).code).toBe('STORED_CEILING_UNREADABLE');
  });

  it('[POL-5] only shrink', () => {
    const small = { ...CLOSED_CEILING, names: ['glob', 'edit'] };
    expect(narrowCeiling(NO_CEILING, small)).toEqual(small);
    expect(narrowCeiling(small, NO_CEILING)).toEqual(small);
    expect(narrowCeiling(CLOSED_CEILING, small)).toEqual({ ...small, names: ['glob'] });
  });
});
