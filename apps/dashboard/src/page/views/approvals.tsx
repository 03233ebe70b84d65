import { useState } from 'preact/hooks';
import { post } from '../io/api.js';
import type { Agent } from '../state/agent.js';
import type { Approval, Inbox } from '../state/approvals.js';
import { formatTime } from '../state/format.js';
import { printRoute } from '../state/route.js';
import { CodeText } from './code-text.js';

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
          <Card
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

function Card(props: {
  readonly approval: Approval;
  readonly agentName: string;
  readonly onAnswered: () => void;
}) {
  const { approval } = props;
  const [isSending, setIsSending] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const answer = async (decision: 'allow' | 'deny'): Promise<void> => {
    setIsSending(true);
    const path = `/v1/approvals/${encodeURIComponent(approval.id)}`;
    const result = await post(path, { decision }, `dashboard-${approval.id}-${decision}`);
    setIsSending(false);
    setProblem(result.ok ? null : result.problem);
    props.onAnswered();
  };
  return (
    <li class="card" aria-label={`${approval.tool}, asked by ${props.agentName}`}>
      <header>
        <h2>
          <code>{approval.tool}</code>
        </h2>
        <a href={printRoute({ view: 'agent', id: approval.agentId })}>{props.agentName}</a>
        <span class="quiet">
          asked <time dateTime={approval.requestedAt}>{formatTime(approval.requestedAt)}</time>
          {approval.expiresAt !== null && `, expires ${approval.expiresAt.slice(0, 10)} and is then denied`}
        </span>
      </header>
      <CodeText body={approval.arguments} label="Arguments" />
      {problem !== null && (
        <p class="problem" role="alert">
          {problem}
        </p>
      )}
      <div class="answers">
        <button type="button" class="primary" disabled={isSending} onClick={() => void answer('allow')}>
          Allow this call
        </button>
        <button type="button" disabled={isSending} onClick={() => void answer('deny')}>
          Deny
        </button>
      </div>
    </li>
  );
}
