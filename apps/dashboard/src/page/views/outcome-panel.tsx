import type { Outcome } from '../state/agent-page.js';
import { CodeText } from './code-text.js';
import { Fold } from './fold.js';

const shownWhole = 1200;

/** How the last activation ended. */
export function OutcomePanel(props: { readonly outcome: Outcome }) {
  const { status, reason, result, isPartial, refusedTools } = props.outcome;
  return (
    <section class={`outcome outcome-${status}`} aria-labelledby="outcome-title">
      <h2 id="outcome-title">
        Outcome: {status}
        {reason !== null && reason !== status && <span class="quiet"> ({reason.replaceAll('_', ' ')})</span>}
        {isPartial && <span class="mark mark-warn">partial</span>}
      </h2>
      {result !== null && result.length <= shownWhole && <p class="prose">{result}</p>}
      {result !== null && result.length > shownWhole && (
        <Fold summary={`${result.slice(0, 160)}…`}>{() => <CodeText body={result} label="Result" />}</Fold>
      )}
      {refusedTools.length > 0 && (
        <p>
          Refused on the way:{' '}
          {refusedTools.map((tool) => (
            <code key={tool} class="tool is-refused">
              {tool}
            </code>
          ))}
        </p>
      )}
    </section>
  );
}
