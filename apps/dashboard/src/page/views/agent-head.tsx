import type { Agent } from '../state/agent.js';
import { formatTime } from '../state/format.js';
import { printRoute } from '../state/route.js';
import { StatusChip } from './status-chip.js';

/** Who the agent is and how it stands. */
export function AgentHead(props: { readonly agent: Agent; readonly parent: Agent | null }) {
  const { agent, parent } = props;
  return (
    <header class="agent-head">
      <p class="lineage">
        {agent.kind}
        {parent !== null && (
          <>
            {' of '}
            <a href={printRoute({ view: 'agent', id: parent.id })}>{parent.description || parent.id}</a>
          </>
        )}
      </p>
      <h1>{agent.description || agent.id}</h1>
      <p class="standing">
        <StatusChip status={agent.status} />
        {agent.epoch !== null && <span>epoch {agent.epoch}</span>}
        {agent.worker !== null && (
          <span>
            on <code>{agent.worker}</code>
          </span>
        )}
        {agent.refusals > 0 && <span class="refusals">{agent.refusals} refused</span>}
        <span class="quiet">
          last change <time dateTime={agent.updatedAt}>{formatTime(agent.updatedAt)}</time>
        </span>
        <code class="agent-id quiet">{agent.id}</code>
      </p>
    </header>
  );
}
