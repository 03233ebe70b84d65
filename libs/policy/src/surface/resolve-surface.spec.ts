import { describe, expect, it } from '@jest/globals';
import { checkServerName } from '../server-name.js';
import { conformanceTable } from '../testing/conformance.js';
import type { ToolIdentity } from '../tool-identity.js';
import { wireName } from '../wire-name.js';
import { resolveSurface } from './resolve-surface.js';

interface Tables {
  servers: { id: string; why: string; server: string; expect: string }[];
  wire: { id: string; why: string; tool: ToolIdentity; expect: string }[];
  collisions: { id: string; why: string; tools: ToolIdentity[]; expect: ToolIdentity[] }[];
}
const tables = conformanceTable<Tables>('allowlist-match.json');

describe('server names, row by row', () => {
  it.each(tables.servers)('$id: $why', (row) => {
    expect(checkServerName(row.server).ok).toBe(row.expect === 'accept');
  });
});

describe('wire names, row by row', () => {
  it.each(tables.wire)('$id: $why', (row) => {
    expect(wireName(row.tool)).toBe(row.expect);
  });
});

describe('collisions, row by row', () => {
  it.each(tables.collisions)('$id: $why', (row) => {
    const { withheld } = resolveSurface(row.tools);
    expect(withheld.map((tool) => tool.identity)).toEqual(row.expect);
    expect(withheld.every(({ reason }) => reason === 'wire_name_collision')).toBe(true);
    expect(resolveSurface(row.tools).declared.size).toBe(row.tools.length - row.expect.length);
  });
});

it('[M01] servers that sanitise alike stay apart, in any order', () => {
  const tools = ['my.server', 'my_server', 'My server'].map((server) => ({ server, tool: 'run' }));
  const names = new Map(tools.map((tool) => [wireName(tool), tool]));
  expect(names.size).toBe(3);
  expect(new Map(resolveSurface(tools.toReversed()).declared)).toEqual(names);
});

it('[L05] a wire name is at most 64 characters that every provider accepts', () => {
  for (const [server, tool] of [
    ['s'.repeat(128), 't'.repeat(300)],
    ['研'.repeat(60), ''],
    ['a', '🔬'.repeat(80)],
  ]) {
    expect(wireName({ server: server ?? '', tool: tool ?? '' })).toMatch(
      /^mcp__[A-Za-z0-9_-]+__[A-Za-z0-9_-]*_[a-z2-7]{10}$/,
    );
    expect(wireName({ server: server ?? '', tool: tool ?? '' }).length).toBeLessThanOrEqual(64);
  }
});

it('a tool given twice is one tool, and a server that may not register is withheld without blocking others', () => {
  const surface = resolveSurface([
    { name: 'glob' },
    { name: 'glob' },
    { server: 'a_', tool: 'x' },
    { server: 'a', tool: '_x' },
  ]);
  expect([...surface.declared.keys()]).toEqual(['glob', 'mcp__a___x']);
  expect(surface.withheld).toEqual([
    { identity: { server: 'a_', tool: 'x' }, wireName: 'mcp__a___x', reason: 'server_name' },
  ]);
});

it('[T09] names of object members are ordinary names', () => {
  const tools = ['__proto__', 'constructor', 'toString', ''].map((name) => ({ name }));
  expect([...resolveSurface(tools).declared.keys()]).toEqual(['__proto__', 'constructor', 'toString', '']);
  expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
});
