import { describeConnection } from '../state/connection.js';
import type { PageState } from '../state/page-state.js';
import type { Status } from '../state/status.js';
import { StatusChip } from './status-chip.js';

const counted: readonly Status[] = ['running', 'queued', 'waiting', 'interrupted', 'blocked'];

/** Name, counts of what is unfinished, the inbox and the state of the stream. */
export function TopBar(props: { readonly state: PageState }) {
  const { connection, inbox, questions, roster, route } = props.state;
  const waiting = (inbox?.length ?? 0) + (questions?.length ?? 0);
  const counts = new Map<Status, number>();
  for (const agent of roster.agents.values()) counts.set(agent.status, (counts.get(agent.status) ?? 0) + 1);
  return (
    <header class="top">
      <a class="brand" href="#/">
        <Sprout />
        Offshoot
      </a>
      <ul class="counts" aria-label="Unfinished agents by status">
        {counted.map((status) => (
          <li key={status} class={counts.has(status) ? '' : 'is-none'}>
            <b>{counts.get(status) ?? 0}</b> <StatusChip status={status} />
          </li>
        ))}
      </ul>
      {(inbox ?? questions) !== null && (
        <a
          class={waiting > 0 ? 'inbox-link has-some' : 'inbox-link'}
          href="#/approvals"
          aria-current={route.view === 'approvals' ? 'page' : undefined}
        >
          Inbox <b>{waiting}</b>
        </a>
      )}
      <p class={`connection connection-${connection}`} role="status">
        <span class="connection-light" aria-hidden="true" />
        {describeConnection(connection)}
      </p>
    </header>
  );
}

function Sprout() {
  return (
    <svg class="sprout" viewBox="0 0 24 24" aria-hidden="true">
      <path class="sprout-stem" d="M7 22V3M7 17C7 11.5 11 10 15 10" />
      <circle class="sprout-tip" cx="17.8" cy="10" r="2.8" />
      <circle class="sprout-root" cx="7" cy="4" r="2.3" />
    </svg>
  );
}
