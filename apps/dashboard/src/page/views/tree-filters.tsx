import type { TreeFilter } from '../state/tree.js';

const foci: readonly (readonly [focus: TreeFilter['focus'], label: string])[] = [
  ['all', 'All'],
  ['active', 'Unfinished'],
  ['attention', 'Needs a look'],
];

/** The search field and the three narrowings of the tree. */
export function TreeFilters(props: {
  readonly filter: TreeFilter;
  readonly onFilter: (filter: TreeFilter) => void;
  readonly shown: number;
  readonly known: number;
}) {
  const { filter, onFilter } = props;
  return (
    <form class="tree-filters" role="search" onSubmit={(event) => event.preventDefault()}>
      <label class="sr-only" for="tree-query">
        Search agents
      </label>
      <input
        id="tree-query"
        type="search"
        placeholder="Search name, id, kind, status, worker"
        autocomplete="off"
        spellcheck={false}
        value={filter.query}
        onInput={(event) => onFilter({ ...filter, query: event.currentTarget.value })}
      />
      <div class="segments" role="group" aria-label="Show">
        {foci.map(([focus, label]) => (
          <button
            key={focus}
            type="button"
            aria-pressed={filter.focus === focus}
            onClick={() => onFilter({ ...filter, focus })}
          >
            {label}
          </button>
        ))}
      </div>
      <p class="quiet" role="status">
        {props.shown === props.known ? `${props.known} agents` : `${props.shown} of ${props.known} agents`}
      </p>
    </form>
  );
}
