import { cachedShare, type AgentPage, type Meter, type Tokens } from '../state/agent-page.js';
import { formatCost, formatCount, formatShare } from '../state/format.js';

/** What the agent has used over its whole life, against its limits. */
export function UsagePanel(props: { readonly page: AgentPage }) {
  const { meters, tokens } = props.page;
  return (
    <section class="panel" aria-labelledby="usage-title">
      <h2 id="usage-title">Usage and limits</h2>
      <dl class="meters">
        {meters.map((meter) => (
          <MeterLine key={meter.name} meter={meter} />
        ))}
      </dl>
      <TokenBar tokens={tokens} />
    </section>
  );
}

function MeterLine(props: { readonly meter: Meter }) {
  const { name, used, limit } = props.meter;
  const shown = name === 'Cost' ? formatCost : formatCount;
  const share = used === null || limit === null || limit === 0 ? null : Math.min(1, used / limit);
  return (
    <div class="meter">
      <dt>{name}</dt>
      <dd>
        <b>{used === null ? '–' : shown(used)}</b>
        {limit !== null && <span class="quiet"> of {shown(limit)}</span>}
        {share !== null && (
          <span class={share > 0.8 ? 'bar is-near' : 'bar'} aria-hidden="true">
            <span class="bar-fill" style={{ width: `${share * 100}%` }} />
          </span>
        )}
      </dd>
    </div>
  );
}

const kinds: readonly (readonly [key: keyof Tokens, label: string])[] = [
  ['cached', 'read from cache'],
  ['cacheWrite', 'written to cache'],
  ['input', 'input'],
  ['output', 'output'],
];

function TokenBar(props: { readonly tokens: Tokens | null }) {
  const { tokens } = props;
  if (tokens === null) return <p class="quiet">The provider told no token counts.</p>;
  const whole = tokens.input + tokens.cached + tokens.cacheWrite + tokens.output;
  const share = cachedShare(tokens);
  if (share === null) return <p class="quiet">No prompt was sent yet.</p>;
  return (
    <div class="tokens">
      <p>
        <strong>{formatShare(share)}</strong> of the prompt tokens came from the provider’s cache
      </p>
      <span class="token-bar" aria-hidden="true">
        {kinds.map(([key]) => (
          <span key={key} class={`token-${key}`} style={{ width: `${(tokens[key] / whole) * 100}%` }} />
        ))}
      </span>
      <ul class="legend">
        {kinds.map(([key, label]) => (
          <li key={key}>
            <i class={`token-${key}`} aria-hidden="true" /> {formatCount(tokens[key])} {label}
          </li>
        ))}
      </ul>
    </div>
  );
}
