import type { AgentPage } from '../state/agent-page.js';
import { Fold } from './fold.js';

type Surface = NonNullable<AgentPage['surface']>;

/** Declared against executable tools, what is withheld, and how the surface moved. */
export function SurfaceFacts(props: { readonly surface: Surface }) {
  const { declared, executable, withheld, drift } = props.surface;
  const allowed = new Set(executable);
  return (
    <div class="surface">
      <Fold
        summary={
          <>
            <strong>{executable.length}</strong> of {declared.length} declared tools executable now
            <Share part={executable.length} whole={declared.length} />
          </>
        }
      >
        {() => (
          <ul class="tools">
            {declared.map((tool) => (
              <li key={tool}>
                <code class={allowed.has(tool) ? 'tool is-allowed' : 'tool is-declared'}>{tool}</code>
                {!allowed.has(tool) && <span class="sr-only"> (declared only)</span>}
              </li>
            ))}
          </ul>
        )}
      </Fold>
      {withheld.length > 0 && (
        <p>
          Withheld:{' '}
          {withheld.map(({ tool, reason }) => (
            <span key={tool}>
              <code class="tool is-refused">{tool}</code>
              {reason !== null && <span class="quiet"> {reason.replaceAll('_', ' ')} </span>}
            </span>
          ))}
        </p>
      )}
      {drift.map(({ change, tools }) => (
        <p key={change} class="drift">
          <span class="mark mark-warn">drift</span> {change}:{' '}
          {tools.map((tool) => (
            <code key={tool} class="tool">
              {tool}
            </code>
          ))}
        </p>
      ))}
    </div>
  );
}

function Share(props: { readonly part: number; readonly whole: number }) {
  const share = props.whole === 0 ? 0 : props.part / props.whole;
  return (
    <span class="bar" aria-hidden="true">
      <span class="bar-fill" style={{ width: `${share * 100}%` }} />
    </span>
  );
}
