import { useState } from 'preact/hooks';
import { post } from '../io/api.js';
import type { Approval } from '../state/approvals.js';
import { formatTime } from '../state/format.js';
import { printRoute } from '../state/route.js';
import { CodeText } from './code-text.js';

/** One waiting call with the two answers. */
export function ApprovalCard(props: {
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
