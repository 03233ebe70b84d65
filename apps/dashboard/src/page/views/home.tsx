import { formatTime } from '../state/format.js';
import type { Roster } from '../state/roster.js';
import { printRoute } from '../state/route.js';
import { needsAttention } from '../state/status.js';
import { StatusChip } from './status-chip.js';

const shown = 12;

/** What nobody has opened yet: those who need a person first, or how to begin. */
export function Home(props: { readonly roster: Roster }) {
  const { agents, isLoaded } = props.roster;
  if (isLoaded && agents.size === 0) return <FirstSteps />;
  const waiting = [...agents.values()]
    .filter((agent) => needsAttention(agent.status) || agent.refusals > 0)
    .sort((left, right) => (left.updatedAt < right.updatedAt ? 1 : -1));
  return (
    <section class="home" aria-labelledby="home-title">
      <h1 id="home-title">{waiting.length === 0 ? 'Nothing needs you' : 'Worth a look'}</h1>
      <p class="lead">
        {waiting.length === 0
          ? 'No agent is waiting, blocked, interrupted or failed, and no call was refused. Choose an agent to read it.'
          : 'Agents that wait, are blocked or interrupted, failed, or had calls refused. The latest first.'}
      </p>
      <ul class="look-list">
        {waiting.slice(0, shown).map((agent) => (
          <li key={agent.id}>
            <a href={printRoute({ view: 'agent', id: agent.id })}>
              <span class="look-name">{agent.description || agent.id}</span>
              <StatusChip status={agent.status} />
              {agent.refusals > 0 && <span class="refusals">{agent.refusals} refused</span>}
              <time dateTime={agent.updatedAt}>{formatTime(agent.updatedAt)}</time>
            </a>
          </li>
        ))}
      </ul>
      {waiting.length > shown && <p class="quiet">and {waiting.length - shown} more under “Needs a look”.</p>}
    </section>
  );
}

function FirstSteps() {
  return (
    <section class="home" aria-labelledby="home-title">
      <h1 id="home-title">No session yet</h1>
      <p class="lead">
        Open one with <code>POST /v1/sessions</code> or <code>offshoot sessions</code>, then launch forks from
        it. They appear here as they happen.
      </p>
    </section>
  );
}
