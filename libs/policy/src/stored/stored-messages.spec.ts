import { describe, expect, it } from '@jest/globals';
import { rejectionOf } from '../testing/fixtures.js';
import { wireName } from '../wire-name.js';
import { importLegacyPolicy } from './import-legacy-policy.js';
import { parseCeiling } from './parse-ceiling.js';
import { parseStoredPolicy } from './parse-stored-policy.js';

const tool = { server: 'repo.bad', tool: 'read' };
const other = { server: 'repo/bad', tool: 'read' };
const binding = { wireName: wireName(tool), ...tool };
const list = (bindings: unknown, entries = [wireName(tool)]) => ({ kind: 'list', entries, bindings });

describe('[POL-6] a stored policy that cannot be read says why', () => {
  it.each<[unknown, string]>([
    [null, 'it is null, not a tagged policy'],
    ['unrestricted', 'it is "unrestricted", not a tagged policy'],
    [{ version: 2, kind: 'list' }, 'its version is 2, not 1'],
    [{ kind: 'unrestricted', more: 1 }, 'it has unknown fields beside its kind'],
    [{ kind: 'list', entries: [], more: 1 }, 'it has unknown fields beside its list'],
    [{ kind: 'deny' }, 'its kind is "deny", not "unrestricted" or "list"'],
    [{}, 'its kind is nothing, not "unrestricted" or "list"'],
    [list('x'), 'its wire-name bindings are not readable'],
    [list([null]), 'its wire-name bindings are not readable'],
    [list([{ ...binding, wireName: 7 }]), 'its wire-name bindings are not readable'],
    [list([{ ...binding, server: 7 }]), 'its wire-name bindings are not readable'],
    [list([{ ...binding, tool: 7 }]), 'its wire-name bindings are not readable'],
    [list([{ wireName: binding.wireName, server: 'a' }]), 'its wire-name bindings are not readable'],
    [list([{ ...binding, ...other }]), 'a wire-name binding does not belong to its list'],
    [list([binding], ['x']), 'a wire-name binding does not belong to its list'],
    [list([binding, binding]), 'a wire-name binding does not belong to its list'],
  ])('%j', (stored, why) => {
    expect(rejectionOf(parseStoredPolicy(stored))).toEqual({
      code: 'STORED_POLICY_UNREADABLE',
      message: `The stored policy cannot be read: ${why}`,
      offenders: [],
    });
  });

  it('a bad entry is named', () => {
    const { message, offenders } = rejectionOf(parseStoredPolicy({ kind: 'list', entries: ['*'] }));
    expect(message).toMatch(/^The stored policy cannot be read: "\*" is a bare star/);
    expect(offenders).toEqual(['*']);
  });
});

it('[POL-7] two wire names that are bound to two tools are read back', () => {
  const second = { wireName: wireName(other), ...other };
  expect(parseStoredPolicy(list([binding, second], [wireName(tool), wireName(other)])).ok).toBe(true);
});

describe('[POL-6] a stored ceiling that cannot be read says why', () => {
  it.each<[unknown, string]>([
    [undefined, 'it is nothing, not a tagged ceiling'],
    [{ version: 2, kind: 'none' }, 'its version is 2, not 1'],
    [{ kind: 'all' }, 'its kind is "all", not "none" or "closed_list"'],
    [{ kind: ['none'] }, 'its kind is a list, not "none" or "closed_list"'],
    [{ kind: 'none', names: [] }, 'it has unknown fields'],
    [{ kind: 'closed_list' }, 'it has no list of names'],
    [{ kind: 'closed_list', names: ['glob', 7] }, 'one of its names is not a string'],
  ])('%j', (stored, why) => {
    expect(rejectionOf(parseCeiling(stored)).message).toBe(`The stored ceiling cannot be read: ${why}.`);
  });
});

it('[POL-6] a legacy sidecar that cannot be read says why, and names bad entries', () => {
  expect(rejectionOf(importLegacyPolicy('x'))).toEqual({
    code: 'LEGACY_POLICY_UNREADABLE',
    message: 'The legacy sidecar cannot be read: it is "x", not an object',
    offenders: [],
  });
  const { message, offenders } = rejectionOf(importLegacyPolicy({ executionAllowedTools: [' x'] }));
  expect(message).toMatch(
    /^The legacy sidecar cannot be read: " x" has surrounding whitespace\. Accepted are /,
  );
  expect(offenders).toEqual([' x']);
});
