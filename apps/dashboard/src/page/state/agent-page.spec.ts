import { describe, expect, it } from '@jest/globals';
import { cachedShare, parseAgentPage } from './agent-page.js';

const page = (over: Record<string, unknown>) =>
  parseAgentPage({ id: 'a1', kind: 'fork', status: 'running', ...over });

describe('the page of an agent', () => {
  it('an unrestricted policy is shown as such only when it says so', () => {
    expect(page({ policy: { kind: 'unrestricted' } })?.policy).toEqual({ kind: 'unrestricted' });
  });

  it('an empty list stays an empty list', () => {
    expect(page({ policy: { kind: 'list', entries: [] } })?.policy).toEqual({ kind: 'list', entries: [] });
  });

  it.each([
    undefined,
    null,
    'unrestricted',
    {},
    { kind: 'list' },
    { kind: 'list', entries: ['read_file', 7] },
    [],
  ])(
    'a policy that cannot be read as stored (%j) is never shown as unrestricted or as another list',
    (policy) => expect(page({ policy })?.policy).toEqual({ kind: 'unreadable' }),
  );

  it('names tools whatever their shape, and leaves out what did not drift', () => {
    const surface = page({
      surface: {
        declared: ['read_file', { server: 'tickets', tool: 'search' }],
        executable: [{ wireName: 'read_file' }],
        withheld: [{ name: 'mcp__crm__x', reason: 'collision' }],
        drift: { lost: [], notGranted: ['edit'], renamed: [{ from: 'a', to: 'b' }] },
      },
    })?.surface;
    expect(surface).toEqual({
      declared: ['read_file', 'mcp__tickets__search'],
      executable: ['read_file'],
      withheld: [{ tool: 'mcp__crm__x', reason: 'collision' }],
      drift: [
        { change: 'not granted', tools: ['edit'] },
        { change: 'renamed', tools: ['a → b'] },
      ],
    });
  });

  it('[P10] the cached share is the part of the whole prompt that the cache served', () => {
    expect(cachedShare({ input: 10, cached: 80, cacheWrite: 10, output: 500 })).toBe(0.8);
    expect(cachedShare({ input: 0, cached: 0, cacheWrite: 0, output: 5 })).toBeNull();
  });

  it('[P10] tokens that no provider told of are unknown, and not none', () => {
    const unknown = { inputTokens: null, cachedTokens: null, cacheWriteTokens: null, outputTokens: null };
    const shown = page({ usage: { turns: 1, ...unknown }, limits: { maxTokens: 50 } });
    expect(shown?.tokens).toBeNull();
    expect(shown?.meters).toContainEqual({ name: 'Tokens', used: null, limit: 50 });
    const told = { inputTokens: 0, cachedTokens: 1, cacheWriteTokens: 0, outputTokens: 2 };
    expect(page({ usage: told })?.meters).toContainEqual({ name: 'Tokens', used: 3, limit: null });
  });

  it('shows a limit beside what is used of it', () => {
    const meters = page({ usage: { turns: 3, toolCalls: 9 }, limits: { maxTurns: 200 } })?.meters;
    expect(meters).toContainEqual({ name: 'Turns', used: 3, limit: 200 });
    expect(meters).toContainEqual({ name: 'Tool calls', used: 9, limit: null });
  });

  it('is nothing without an id', () => {
    expect(parseAgentPage({ kind: 'fork' })).toBeNull();
  });
});
