import { expect, it } from '@jest/globals';
import { forkGate } from '../testing/fixtures.js';
import { wireName } from '../wire-name.js';
import { exactEntry } from './exact-entry.js';

it('names one tool so that a list of it runs that tool alone', () => {
  const tools = [
    { name: 'glob' },
    ...['read', 'read*', 'reader', ' read', ''].map((tool) => ({ server: 'repo.bad', tool })),
  ];
  for (const tool of tools) {
    expect(forkGate(tools, [exactEntry(tool)]).executable()).toEqual([wireName(tool)]);
  }
});

it('prefers the raw form, and has no answer for a built-in that no entry can spell', () => {
  expect(exactEntry({ server: 'repo.bad', tool: 'read' })).toBe('mcp__repo.bad__read');
  expect(exactEntry({ server: 'shell', tool: 'run*' })).toBe('mcp__shell__run__75yvvdxgnw');
  expect(exactEntry({ name: '' })).toBeNull();
});
