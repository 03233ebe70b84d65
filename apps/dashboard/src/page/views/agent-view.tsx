import { useEffect, useMemo } from 'preact/hooks';
import type { Agent } from '../state/agent.js';
import type { Inbox } from '../state/approvals.js';
import { shortId } from '../state/format.js';
import type { Entry } from '../state/entries/entry.js';
import type { OpenPage } from '../state/page-state.js';
import { printRoute } from '../state/route.js';
import { projectEntries } from '../state/entries/project-entries.js';
import { projectRuns, type Run } from '../state/runs.js';
import type { Question } from '../state/questions.js';
import type { Transcript } from '../state/transcript.js';
import { AgentHead } from './agent-head.js';
import { ApprovalCard } from './approval-card.js';
import { OutcomePanel } from './outcome-panel.js';
import { PolicyPanel } from './policy-panel.js';
import { QuestionCard } from './question-card.js';
import { RunsTimeline } from './runs-timeline.js';
import { TranscriptView } from './transcript-view.js';
import { UsagePanel } from './usage-panel.js';

/** One agent: what it is and may do, how it got here, everything that it did. */
export function AgentView(props: {
  readonly id: string;
  readonly openPage: OpenPage;
  readonly transcript: Transcript | null;
  readonly agents: ReadonlyMap<string, Agent>;
  readonly inbox: Inbox;
  readonly questions: readonly Question[] | null;
  readonly onReadOn: () => void;
  readonly onAnswered: () => void;
}) {
  const { openPage, transcript, agents } = props;
  const asks = (props.inbox ?? []).filter((approval) => approval.agentId === props.id);
  const questions = (props.questions ?? []).filter((question) => question.agentId === props.id);
  const known = agents.get(props.id) ?? null;
  const page = openPage.phase === 'shown' ? openPage.page : null;
  const agent = known ?? page?.agent ?? null;
  const records = transcript?.records;
  const runs = useMemo(() => projectRuns(records ?? []), [records]);
  const entries = useMemo(() => projectEntries(records ?? []), [records]);
  const name = agent?.description || shortId(props.id);
  useEffect(() => {
    document.title = `${name}, Offshoot`;
    return () => (document.title = 'Offshoot');
  }, [name]);
  return (
    <article class="agent">
      <a class="back" href="#/">
        <span aria-hidden="true">←</span> All agents
      </a>
      {agent === null ? (
        <h1 class="quiet">{name}</h1>
      ) : (
        <AgentHead
          agent={seen(agent, runs, entries)}
          parent={agents.get(agent.parentId ?? agent.sessionId ?? '') ?? null}
        />
      )}
      {asks.length + questions.length > 0 && (
        <ul class="cards" aria-label="What this agent waits for">
          {questions.map((question) => (
            <QuestionCard
              key={question.id}
              question={question}
              agentName={name}
              onAnswered={props.onAnswered}
            />
          ))}
          {asks.map((approval) => (
            <ApprovalCard
              key={approval.id}
              approval={approval}
              agentName={name}
              onAnswered={props.onAnswered}
            />
          ))}
        </ul>
      )}
      {openPage.phase === 'failed' && (
        <p class="problem" role="alert">
          {openPage.problem} <a href={printRoute({ view: 'home' })}>Back to all agents</a>
        </p>
      )}
      {page !== null && (
        <>
          {page.blocked !== null && (
            <p class="problem">
              <strong>Blocked: {page.blocked.reason.replaceAll('_', ' ')}.</strong> {page.blocked.detail}
            </p>
          )}
          {page.outcome !== null && <OutcomePanel outcome={page.outcome} />}
          <div class="panels">
            <PolicyPanel page={page} />
            <UsagePanel page={page} />
          </div>
        </>
      )}
      {runs.length > 0 && <RunsTimeline runs={runs} />}
      {transcript !== null && (
        <TranscriptView transcript={transcript} entries={entries} onReadOn={props.onReadOn} />
      )}
    </article>
  );
}

// The transcript knows epoch and refusals of an agent that no run holds; the list may not.
const seen = (agent: Agent, runs: readonly Run[], entries: readonly Entry[]): Agent => ({
  ...agent,
  epoch: agent.epoch ?? runs.at(-1)?.epoch ?? null,
  refusals: Math.max(agent.refusals, entries.filter((entry) => entry.family === 'refusal').length),
});
