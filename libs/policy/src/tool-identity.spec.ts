import { describe, expect, it } from '@jest/globals';
import { exactEntry } from './allowlist/exact-entry.js';
import { checkServerName } from './server-name.js';
import { rejectionOf } from './testing/fixtures.js';
import { isSameTool } from './tool-identity.js';
import { DEFAULT_WORKFLOW_MODE, isWorkflowMode, WORKFLOW_MODES } from './toolset/workflow-mode.js';
import { registryName } from './toolset/registry-name.js';

describe('[POL-7] tools are the same only when every part is', () => {
  const mcp = { server: 'a', tool: 'b' };
  it.each([
    ['one MCP tool', mcp, { server: 'a', tool: 'b' }, true],
    ['one built-in', { name: 'a' }, { name: 'a' }, true],
    ['another server', mcp, { server: 'x', tool: 'b' }, false],
    ['another tool', mcp, { server: 'a', tool: 'x' }, false],
    ['another built-in', { name: 'a' }, { name: 'b' }, false],
    ['a built-in of the raw form', mcp, { name: 'mcp__a__b' }, false],
    ['a built-in of the tool name', mcp, { name: 'b' }, false],
  ] as const)('%s', (_what, left, right, expected) => {
    expect([isSameTool(left, right), isSameTool(right, left)]).toEqual([expected, expected]);
  });
});

const rule =
  'a name has 1 to 128 characters without "__", "*" or control characters, and neither starts nor ends with "_" or whitespace.';

it.each([
  ['', 'is empty'],
  ['a__b', 'contains "__"'],
  ['a*', 'contains "*"'],
  ['_a', 'starts or ends with "_"'],
  ['a_', 'starts or ends with "_"'],
  ['a\u0007b', 'contains a control character'],
  [' a', 'starts or ends with whitespace'],
])('[M01] a server may not register as %j: it %s', (name, fault) => {
  const { message, offenders, code } = rejectionOf(checkServerName(name));
  expect(message).toContain(` ${fault}; ${rule}`);
  expect([offenders, code]).toEqual([[name], 'SERVER_NAME_INVALID']);
});

it('[M01] a server name has at most 128 characters', () => {
  expect(checkServerName('a'.repeat(128)).ok).toBe(true);
  expect(rejectionOf(checkServerName('a'.repeat(129))).message).toContain('is longer than 128 characters');
});

it('the workflow modes are these six, by their exact names', () => {
  expect(WORKFLOW_MODES).toEqual(['off', 'discuss', 'plan', 'review', 'design', 'build']);
  expect(WORKFLOW_MODES.every(isWorkflowMode)).toBe(true);
  expect(DEFAULT_WORKFLOW_MODE).toBe('build');
  for (const other of ['', 'Build', 'build ', null, undefined, 7, ['build']])
    expect(isWorkflowMode(other)).toBe(false);
});

it.each([
  ['read', 'read_file'],
  ['grep', 'grep_search'],
  ['find', 'glob'],
  ['ls', 'list_directory'],
  ['bash', 'run_shell_command'],
  ['write', 'write_file'],
  ['edit', 'edit'],
  ['subagent', 'agent'],
  [' Write\t', 'write_file'],
  ['other', 'other'],
])('%j of a definition is %s of the registry', (written, name) => {
  expect(registryName(written)).toBe(name);
});

it('a built-in that no list can name has no entry, wire name or not', () => {
  expect(exactEntry({ name: 'a*' })).toBeNull();
  expect(exactEntry({ name: ' a' })).toBeNull();
});
