import { useId, useState } from 'preact/hooks';
import { post } from '../io/api.js';
import { formatTime } from '../state/format.js';
import type { Question } from '../state/questions.js';
import { printRoute } from '../state/route.js';

/** One waiting question, with its options and room for any other answer. */
export function QuestionCard(props: {
  readonly question: Question;
  readonly agentName: string;
  readonly onAnswered: () => void;
}) {
  const { question } = props;
  const fieldId = useId();
  const [own, setOwn] = useState('');
  const [isSending, setIsSending] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const answer = async (text: string): Promise<void> => {
    setIsSending(true);
    // The key says which answer it is: another one must not look like this one sent again.
    const path = `/v1/questions/${encodeURIComponent(question.id)}`;
    const result = await post(path, { text }, `dashboard-${question.id}-${text.length}-${hashOf(text)}`);
    setIsSending(false);
    setProblem(result.ok ? null : result.problem);
    props.onAnswered();
  };
  const send = (event: Event): void => {
    event.preventDefault();
    if (own.trim() !== '') void answer(own);
  };
  return (
    <li class="card" aria-label={`A question of ${props.agentName}`}>
      <header>
        <h2>{question.to === 'parent' ? 'Question to its parent agent' : 'Question'}</h2>
        <a href={printRoute({ view: 'agent', id: question.agentId })}>{props.agentName}</a>
        <span class="quiet">
          asked <time dateTime={question.askedAt}>{formatTime(question.askedAt)}</time>
          {question.expiresAt !== null && `, open until ${question.expiresAt.slice(0, 10)}`}
        </span>
      </header>
      <p class="question-text">{question.text}</p>
      {problem !== null && (
        <p class="problem" role="alert">
          {problem}
        </p>
      )}
      {question.options.length > 0 && (
        <div class="answers" role="group" aria-label="Suggested answers">
          {question.options.map((option) => (
            <button key={option} type="button" disabled={isSending} onClick={() => void answer(option)}>
              {option}
            </button>
          ))}
        </div>
      )}
      <form class="answers" onSubmit={send}>
        <label for={fieldId}>Answer</label>
        <input
          id={fieldId}
          type="text"
          value={own}
          autoComplete="off"
          onInput={(event) => setOwn(event.currentTarget.value)}
        />
        <button type="submit" class="primary" disabled={isSending || own.trim() === ''}>
          Send
        </button>
      </form>
    </li>
  );
}

/** Tells answers apart in the key of the request; nothing depends on it being hard to find another one. */
function hashOf(text: string): string {
  let hash = 0;
  for (const char of text) hash = (Math.imul(hash, 31) + (char.codePointAt(0) ?? 0)) | 0;
  return (hash >>> 0).toString(36);
}
