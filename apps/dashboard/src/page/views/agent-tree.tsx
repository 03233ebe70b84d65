import { useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { printRoute } from '../state/route.js';
import type { Roster } from '../state/roster.js';
import { treeMove, treeRows, type TreeFilter } from '../state/tree.js';
import { TreeFilters } from './tree-filters.js';
import { TreeLine, rowHeightPx } from './tree-line.js';
import { useWindow } from './use-window.js';

/** Sessions and their agents: only the lines in sight are in the document, one of them is in the tab order. */
export function AgentTree(props: {
  readonly roster: Roster;
  readonly problem: string | null;
  readonly selectedId: string | null;
}) {
  const [filter, setFilter] = useState<TreeFilter>({ query: '', focus: 'all' });
  const [folded, setFolded] = useState<ReadonlySet<string>>(new Set());
  const [focusedId, setFocusedId] = useState<string | null>(null);
  const { agents } = props.roster;
  const rows = useMemo(() => treeRows(agents, filter, folded), [agents, filter, folded]);
  const scroller = useRef<HTMLDivElement>(null);
  const isMoved = useRef(false);

  const tabStop = Math.max(0, indexOf(rows, focusedId) ?? indexOf(rows, props.selectedId) ?? 0);
  const inSight = useWindow(scroller, rows.length, rowHeightPx);

  // Before the next key: put off, it would take the focus back to the line that the key has left.
  useLayoutEffect(() => {
    if (!isMoved.current) return;
    isMoved.current = false;
    const line = scroller.current?.querySelector<HTMLElement>('[tabindex="0"]');
    line?.scrollIntoView({ block: 'nearest' });
    line?.focus({ preventScroll: true });
  });

  const toggle = (id: string): void => {
    const next = new Set(folded);
    if (!next.delete(id)) next.add(id);
    setFolded(next);
  };

  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const current = rows[tabStop];
    if (current !== undefined && (event.key === 'Enter' || event.key === ' ')) {
      event.preventDefault();
      location.hash = printRoute({ view: 'agent', id: current.agent.id });
      return;
    }
    const move = treeMove(rows, tabStop, event.key);
    if (move.kind === 'none') return;
    event.preventDefault();
    isMoved.current = true;
    if (move.kind === 'toggle') toggle(move.id);
    setFocusedId(move.kind === 'focus' ? (rows[move.index]?.agent.id ?? null) : move.id);
  };

  return (
    <>
      <TreeFilters filter={filter} onFilter={setFilter} shown={rows.length} known={agents.size} />
      {props.problem !== null && (
        <p class="problem" role="alert">
          The agents cannot be read: {props.problem}
        </p>
      )}
      <div class="tree" ref={scroller} role="tree" aria-label="Agents" onKeyDown={onKeyDown}>
        <div class="tree-space" role="none" style={{ height: `${rows.length * rowHeightPx}px` }}>
          {rows.map((row, index) =>
            index === tabStop || (index >= inSight.from && index < inSight.to) ? (
              <TreeLine
                key={row.agent.id}
                row={row}
                index={index}
                isTabStop={index === tabStop}
                isSelected={row.agent.id === props.selectedId}
                onToggle={toggle}
                onFocus={setFocusedId}
              />
            ) : null,
          )}
        </div>
      </div>
    </>
  );
}

function indexOf(rows: ReturnType<typeof treeRows>, id: string | null): number | null {
  const index = id === null ? -1 : rows.findIndex((row) => row.agent.id === id);
  return index === -1 ? null : index;
}
