import type { Agent } from './agent.js';
import { needsAttention } from './status.js';

/** One visible line of the tree, with what ARIA wants to know about its place. */
export interface TreeRow {
  readonly agent: Agent;
  /** 1 for a root. */
  readonly level: number;
  readonly position: number;
  readonly setSize: number;
  readonly childCount: number;
  readonly isOpen: boolean;
  /** For each level above, whether its branch goes on below this row: where to draw the rails. */
  readonly rails: readonly boolean[];
}

/** What narrows the tree. `focus` keeps everything, the unfinished, or what needs a person. */
export interface TreeFilter {
  readonly query: string;
  readonly focus: 'all' | 'active' | 'attention';
}

const active: ReadonlySet<string> = new Set(['queued', 'running', 'waiting', 'interrupted', 'blocked']);

/** Whether an agent itself passes the filter: every word of the query is found in one of its fields. */
export function matches(agent: Agent, filter: TreeFilter): boolean {
  if (filter.focus === 'active' && !active.has(agent.status)) return false;
  if (filter.focus === 'attention' && !needsAttention(agent.status) && agent.refusals === 0) return false;
  const haystack = [agent.description, agent.id, agent.kind, agent.status, agent.worker ?? '']
    .join('\n')
    .toLowerCase();
  const words = filter.query.toLowerCase().split(/\s+/);
  return words.every((word) => haystack.includes(word));
}

/**
 * The visible rows: sessions newest first, children in the order of their creation. An agent that passes the
 * filter brings its ancestors along, so that it is never shown without its place.
 *
 * @param folded ids of the agents whose children are hidden; a filter opens everything
 */
export function treeRows(
  agents: ReadonlyMap<string, Agent>,
  filter: TreeFilter,
  folded: ReadonlySet<string>,
): readonly TreeRow[] {
  const kept = keptIds(agents, filter);
  const children = byParent(agents, kept);
  const rows: TreeRow[] = [];
  const opened = filter.query.trim() === '' && filter.focus === 'all' ? folded : new Set<string>();
  const pending = siblings(children.get(null) ?? [], [], 1);
  for (let place = pending.pop(); place !== undefined; place = pending.pop()) {
    const own = children.get(place.agent.id) ?? [];
    const isOpen = own.length > 0 && !opened.has(place.agent.id);
    rows.push({ ...place, childCount: own.length, isOpen });
    if (!isOpen) continue;
    const rails = place.level === 1 ? [] : [...place.rails, place.position < place.setSize];
    pending.push(...siblings(own, rails, place.level + 1));
  }
  return rows;
}

type Place = Omit<TreeRow, 'childCount' | 'isOpen'>;

// In reverse, because the walk takes from the end.
const siblings = (agents: readonly Agent[], rails: readonly boolean[], level: number): Place[] =>
  agents
    .map((agent, index) => ({ agent, level, rails, position: index + 1, setSize: agents.length }))
    .reverse();

function keptIds(agents: ReadonlyMap<string, Agent>, filter: TreeFilter): ReadonlySet<string> {
  const kept = new Set<string>();
  for (const agent of agents.values()) {
    if (!matches(agent, filter)) continue;
    for (let at: Agent | undefined = agent; at !== undefined && !kept.has(at.id); at = parentOf(agents, at)) {
      kept.add(at.id);
    }
  }
  return kept;
}

function parentOf(agents: ReadonlyMap<string, Agent>, agent: Agent): Agent | undefined {
  const parentId = agent.parentId ?? (agent.kind === 'session' ? null : agent.sessionId);
  return parentId === null || parentId === agent.id ? undefined : agents.get(parentId);
}

function byParent(
  agents: ReadonlyMap<string, Agent>,
  kept: ReadonlySet<string>,
): ReadonlyMap<string | null, readonly Agent[]> {
  const children = new Map<string | null, Agent[]>();
  for (const id of kept) {
    const agent = agents.get(id);
    if (agent === undefined) continue;
    const parentId = parentOf(agents, agent)?.id ?? null;
    const list = children.get(parentId);
    if (list === undefined) children.set(parentId, [agent]);
    else list.push(agent);
  }
  for (const [parentId, list] of children) list.sort(parentId === null ? newestFirst : oldestFirst);
  return children;
}

function oldestFirst(left: Agent, right: Agent): number {
  if (left.createdAt !== right.createdAt) return left.createdAt < right.createdAt ? -1 : 1;
  return left.id < right.id ? -1 : 1;
}

const newestFirst = (left: Agent, right: Agent): number => oldestFirst(right, left);

/** Where a key of the tree pattern leads (WAI-ARIA tree view): a row to focus, or a branch to fold or open. */
export type TreeMove =
  | { readonly kind: 'focus'; readonly index: number }
  | { readonly kind: 'toggle'; readonly id: string }
  | { readonly kind: 'none' };

export function treeMove(rows: readonly TreeRow[], index: number, key: string): TreeMove {
  const row = rows[index];
  if (row === undefined) return { kind: 'none' };
  switch (key) {
    case 'ArrowDown':
      return focusOn(rows, index + 1);
    case 'ArrowUp':
      return focusOn(rows, index - 1);
    case 'Home':
      return focusOn(rows, 0);
    case 'End':
      return focusOn(rows, rows.length - 1);
    case 'ArrowRight':
      return moveInto(rows, index, row);
    case 'ArrowLeft':
      return moveOut(rows, index, row);
    default:
      return { kind: 'none' };
  }
}

const focusOn = (rows: readonly TreeRow[], index: number): TreeMove =>
  rows[index] === undefined ? { kind: 'none' } : { kind: 'focus', index };

function moveInto(rows: readonly TreeRow[], index: number, row: TreeRow): TreeMove {
  if (row.childCount === 0) return { kind: 'none' };
  return row.isOpen ? focusOn(rows, index + 1) : { kind: 'toggle', id: row.agent.id };
}

function moveOut(rows: readonly TreeRow[], index: number, row: TreeRow): TreeMove {
  if (row.isOpen) return { kind: 'toggle', id: row.agent.id };
  return focusOn(
    rows,
    rows.findLastIndex((above, at) => at < index && above.level === row.level - 1),
  );
}
