import type { AgentPage, Policy } from '../state/agent-page.js';
import { SurfaceFacts } from './surface-facts.js';

/** What was allowed at launch, and what that means on the tools that exist now. */
export function PolicyPanel(props: { readonly page: AgentPage }) {
  const { policy, ceiling, surface } = props.page;
  return (
    <section class="panel" aria-labelledby="policy-title">
      <h2 id="policy-title">Policy</h2>
      <PolicyLine policy={policy} />
      {policy.kind === 'list' && policy.entries.length > 0 && (
        <ul class="tools" aria-label="Entries of the list">
          {policy.entries.map((entry) => (
            <li key={entry}>
              <code class="tool">{entry}</code>
            </li>
          ))}
        </ul>
      )}
      {ceiling !== null && (
        <p>
          Ceiling: <code>{ceiling}</code>
        </p>
      )}
      {surface === null ? (
        <p class="quiet">No surface is recorded yet.</p>
      ) : (
        <SurfaceFacts surface={surface} />
      )}
    </section>
  );
}

function PolicyLine(props: { readonly policy: Policy }) {
  const { policy } = props;
  switch (policy.kind) {
    case 'unrestricted':
      return (
        <p class="policy-line">
          <strong>Unrestricted.</strong> The launch added no restriction.
        </p>
      );
    case 'unreadable':
      return (
        <p class="policy-line mark-bad">
          <strong>Unreadable.</strong> The agent does not run with a policy that cannot be read as stored.
        </p>
      );
    case 'list':
      return (
        <p class="policy-line">
          <strong>
            {policy.entries.length === 0 ? 'Denies every tool.' : 'Only what this list matches.'}
          </strong>{' '}
          {policy.entries.length === 0
            ? 'The list is empty.'
            : `${policy.entries.length} ${policy.entries.length === 1 ? 'entry' : 'entries'}, fixed at launch.`}
        </p>
      );
  }
}
