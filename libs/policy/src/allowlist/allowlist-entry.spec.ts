import { expect, it } from '@jest/globals';
import { parseAllowlistEntry } from './allowlist-entry.js';

it.each([
  ['read_file', { kind: 'name' }],
  ['mcp_x', { kind: 'name' }],
  ['a__b', { kind: 'name' }],
  ['mcp__github', { kind: 'server', server: 'github' }],
  ['mcp__', { kind: 'server', server: '' }],
  ['mcp__github__search', { kind: 'tool', server: 'github', tool: 'search' }],
  ['mcp__a__b__c', { kind: 'tool', server: 'a', tool: 'b__c' }],
  ['mcp____x', { kind: 'tool', server: '', tool: 'x' }],
  ['mcp__a__', { kind: 'tool', server: 'a', tool: '' }],
  ['mcp__*', { kind: 'all_mcp' }],
  ['mcp__a__*', { kind: 'prefix', server: 'a', prefix: '' }],
  ['mcp__a__b__c*', { kind: 'prefix', server: 'a', prefix: 'b__c' }],
])('[T13] %s is read as %j', (text, expected) => {
  const parsed = parseAllowlistEntry(text);
  expect(parsed).toEqual({ ok: true, entry: { text, ...expected } });
  expect(parsed.ok && Object.isFrozen(parsed.entry)).toBe(true);
});

it.each([
  [7, 'is not a string'],
  ['', 'is empty'],
  ['x'.repeat(513), 'is longer than 512 characters'],
  [' read_file', 'has surrounding whitespace'],
  ['*', 'is a bare star, and no list allows everything (leave the list out for that)'],
  ['read_*', 'uses a star outside the MCP namespace'],
  ['mcp__a__*b', 'has a star that is not its one last character'],
  ['mcp__a__b**', 'has a star that is not its one last character'],
  ['mcp__a*', 'has a star without a whole server name and "__" before it'],
  ['mcp____*', 'has a star without a whole server name and "__" before it'],
])('%j %s', (value, fault) => {
  expect(parseAllowlistEntry(value)).toEqual({ ok: false, fault });
});
