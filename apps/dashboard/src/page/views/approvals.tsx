import type { Agent } from '../state/agent.js';
import type { Inbox } from '../state/approvals.js';
import { ApprovalCard } from './approval-card.js';

/** Calls that wait for a person, with the two answers. */
export function Approvals(props: {
  readonly inbox: Inbox;
  readonly agents: ReadonlyMap<string, Agent>;
  readonly onAnswered: () => void;
}) {
  const inbox = props.inbox ?? [];
  return (
    <section class="approvals" aria-labelledby="approvals-title">
      <h1 id="approvals-title">Approvals</h1>
      <p class="lead">
        {inbox.length === 0
          ? 'No call waits for an answer.'
          : 'Each answer is for this one call with these arguments. It creates no rule.'}
      </p>
      <ul class="cards">
        {inbox.map((approval) => (
          <ApprovalCard
            key={approval.id}
            approval={approval}
            agentName={props.agents.get(approval.agentId)?.description || approval.agentId}
            onAnswered={props.onAnswered}
          />
        ))}
      </ul>
    </section>
  );
}
