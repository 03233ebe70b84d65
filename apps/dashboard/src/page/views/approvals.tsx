import type { Agent } from '../state/agent.js';
import type { Inbox } from '../state/approvals.js';
import type { Question } from '../state/questions.js';
import { ApprovalCard } from './approval-card.js';
import { QuestionCard } from './question-card.js';

/** What waits for a person: questions first, then calls with the two answers. */
export function Approvals(props: {
  readonly inbox: Inbox;
  readonly questions: readonly Question[] | null;
  readonly agents: ReadonlyMap<string, Agent>;
  readonly onAnswered: () => void;
}) {
  const { agents, onAnswered } = props;
  const inbox = props.inbox ?? [];
  const questions = props.questions ?? [];
  const nameOf = (agentId: string): string => agents.get(agentId)?.description || agentId;
  return (
    <section class="approvals" aria-labelledby="approvals-title">
      <h1 id="approvals-title">Inbox</h1>
      <p class="lead">{leadOf(inbox.length, questions.length)}</p>
      <ul class="cards">
        {questions.map((question) => (
          <QuestionCard
            key={question.id}
            question={question}
            agentName={nameOf(question.agentId)}
            onAnswered={onAnswered}
          />
        ))}
        {inbox.map((approval) => (
          <ApprovalCard
            key={approval.id}
            approval={approval}
            agentName={nameOf(approval.agentId)}
            onAnswered={onAnswered}
          />
        ))}
      </ul>
    </section>
  );
}

function leadOf(approvals: number, questions: number): string {
  if (approvals > 0) return 'Each approval is for this one call with these arguments. It creates no rule.';
  return questions > 0 ? 'The first answer counts.' : 'No call waits for an answer.';
}
