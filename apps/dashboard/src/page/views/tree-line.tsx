import { shortId } from '../state/format.js';
import { printRoute } from '../state/route.js';
import type { TreeRow } from '../state/tree.js';
import { StatusChip } from './status-chip.js';

/** Height of every line, as the style sheet has it too. */
export const rowHeightPx = 50;

/** One line of the tree, with the branch that it hangs from. */
export function TreeLine(props: {
  readonly row: TreeRow;
  readonly index: number;
  readonly isTabStop: boolean;
  readonly isSelected: boolean;
  readonly onToggle: (id: string) => void;
  readonly onFocus: (id: string) => void;
}) {
  const { agent, level, position, setSize, childCount, isOpen } = props.row;
  return (
    <div
      class={`tree-line tree-${agent.kind}`}
      role="treeitem"
      tabIndex={props.isTabStop ? 0 : -1}
      aria-level={level}
      aria-posinset={position}
      aria-setsize={setSize}
      aria-selected={props.isSelected}
      aria-expanded={childCount === 0 ? undefined : isOpen}
      data-agent={agent.id}
      style={{ top: `${props.index * rowHeightPx}px` }}
      onFocus={() => props.onFocus(agent.id)}
      onClick={() => (location.hash = printRoute({ view: 'agent', id: agent.id }))}
    >
      <Branch row={props.row} />
      <Twist row={props.row} onToggle={props.onToggle} />
      <span class="tree-words">
        <span class="tree-name">{agent.description || shortId(agent.id)}</span>
        <span class="tree-facts">
          {agent.kind}
          {agent.epoch !== null && <span> · epoch {agent.epoch}</span>}
          {agent.worker !== null && <span> · {agent.worker}</span>}
          {agent.refusals > 0 && <span class="refusals"> · {agent.refusals} refused</span>}
        </span>
      </span>
      <StatusChip status={agent.status} />
    </div>
  );
}

function Branch(props: { readonly row: TreeRow }) {
  const { level, rails, position, setSize } = props.row;
  if (level === 1) return null;
  return (
    <span class="tree-branch" aria-hidden="true">
      {rails.map((goesOn, at) => (
        <i key={at} class={goesOn ? 'rail goes-on' : 'rail'} />
      ))}
      <i class={position < setSize ? 'elbow goes-on' : 'elbow'} />
    </span>
  );
}

function Twist(props: { readonly row: TreeRow; readonly onToggle: (id: string) => void }) {
  const { agent, childCount, isOpen } = props.row;
  if (childCount === 0) return <span class="twist is-leaf" aria-hidden="true" />;
  return (
    <span
      class={isOpen ? 'twist is-open' : 'twist'}
      aria-hidden="true"
      onClick={(event) => {
        event.stopPropagation();
        props.onToggle(agent.id);
      }}
    >
      <svg viewBox="0 0 10 10">
        <path d="M3 1.5L7 5L3 8.5" />
      </svg>
    </span>
  );
}
