import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { parseAgent, type Agent } from './agent.js';
import { treeMove, treeRows, type TreeFilter, type TreeRow } from './tree.js';

const everything: TreeFilter = { query: '', focus: 'all' };
const agent = (id: string, parentId: string | null, over: Record<string, unknown> = {}): Agent => {
  const parsed = parseAgent({
    id,
    parentId,
    kind: parentId === null ? 'session' : 'fork',
    status: 'running',
    ...over,
  });
  if (parsed === null) throw new Error('An agent of the spec has no id.');
  return parsed;
};
const family = (...agents: Agent[]): ReadonlyMap<string, Agent> =>
  new Map(agents.map((one) => [one.id, one]));
const shape = (rows: readonly TreeRow[]): string[] =>
  rows.map((row) => `${'  '.repeat(row.level - 1)}${row.agent.id}`);

const two = family(
  agent('s1', null, { createdAt: '2026-05-01' }),
  agent('s2', null, { createdAt: '2026-05-02' }),
  agent('f1', 's1', { createdAt: '2026-05-03', description: 'Audit the invoices' }),
  agent('f2', 's1', { createdAt: '2026-05-04', status: 'blocked' }),
  agent('g1', 'f1', { createdAt: '2026-05-05', status: 'completed' }),
);

describe('the tree', () => {
  it('puts the newest session first and children in the order of their creation, whatever the order of the list', () => {
    fc.assert(
      fc.property(fc.shuffledSubarray([...two.values()], { minLength: 5 }), (agents) => {
        expect(shape(treeRows(family(...agents), everything, new Set()))).toEqual([
          's2',
          's1',
          '  f1',
          '    g1',
          '  f2',
        ]);
      }),
    );
  });

  it('tells every row its place among its siblings and which rails run past it', () => {
    const rows = treeRows(two, everything, new Set());
    const g1 = rows.find((row) => row.agent.id === 'g1');
    expect(g1).toMatchObject({ level: 3, position: 1, setSize: 1, rails: [true] });
    expect(rows.find((row) => row.agent.id === 'f2')).toMatchObject({ position: 2, setSize: 2, rails: [] });
  });

  it('a folded agent keeps its row and hides what hangs from it', () => {
    expect(shape(treeRows(two, everything, new Set(['f1'])))).toEqual(['s2', 's1', '  f1', '  f2']);
  });

  it('a search brings the ancestors of a hit along and opens what was folded', () => {
    expect(shape(treeRows(two, { query: 'INVOICES audit', focus: 'all' }, new Set(['s1'])))).toEqual([
      's1',
      '  f1',
    ]);
  });

  it('“needs a look” keeps the blocked and those with refusals', () => {
    const agents = family(...two.values(), agent('f3', 's2', { refusals: 2, createdAt: '2026-05-06' }));
    expect(shape(treeRows(agents, { query: '', focus: 'attention' }, new Set()))).toEqual([
      's2',
      '  f3',
      's1',
      '  f2',
    ]);
  });

  it('an agent whose parent is unknown, or that names itself, is a root and not lost', () => {
    const agents = family(agent('lost', 'nobody'), agent('loop', 'loop'));
    expect(shape(treeRows(agents, everything, new Set())).sort()).toEqual(['loop', 'lost']);
  });

  it('moves by the keys of the tree pattern', () => {
    const rows = treeRows(two, everything, new Set(['f1']));
    expect(treeMove(rows, 0, 'ArrowDown')).toEqual({ kind: 'focus', index: 1 });
    expect(treeMove(rows, 0, 'ArrowUp')).toEqual({ kind: 'none' });
    expect(treeMove(rows, 2, 'ArrowRight')).toEqual({ kind: 'toggle', id: 'f1' });
    expect(treeMove(rows, 1, 'ArrowRight')).toEqual({ kind: 'focus', index: 2 });
    expect(treeMove(rows, 3, 'ArrowLeft')).toEqual({ kind: 'focus', index: 1 });
    expect(treeMove(rows, 1, 'ArrowLeft')).toEqual({ kind: 'toggle', id: 's1' });
    expect(treeMove(rows, 1, 'End')).toEqual({ kind: 'focus', index: 3 });
    expect(treeMove(rows, 1, 'x')).toEqual({ kind: 'none' });
  });
});
