import { useEffect, useRef } from 'preact/hooks';
import type { LivePage } from '../io/live-page.js';
import type { Store } from '../io/store.js';
import type { PageState } from '../state/page-state.js';
import { printRoute } from '../state/route.js';
import { AgentTree } from './agent-tree.js';
import { AgentView } from './agent-view.js';
import { Approvals } from './approvals.js';
import { Home } from './home.js';
import { TopBar } from './top-bar.js';
import { useStore } from './use-store.js';
import { Workers } from './workers.js';

/** The whole page: who there is on the left, one of them on the right, what runs them below. */
export function Dashboard(props: { readonly store: Store<PageState>; readonly live: LivePage }) {
  const state = useStore(props.store);
  const { route } = state;
  const address = printRoute(route);
  const isMounted = useRef(false);
  useEffect(() => {
    const isFirst = !isMounted.current;
    isMounted.current = true;
    if (isFirst) return;
    // On a narrow page the tree goes when an agent is opened, and the focus with it.
    const held = document.activeElement;
    if (held === null || held === document.body || held.getClientRects().length === 0) focusOn('main');
  }, [address]);
  return (
    <div class={`page page-${route.view}`}>
      <a class="skip-link" href="#main" onClick={focusMain}>
        Skip to the page
      </a>
      <TopBar state={state} />
      <aside class="side" aria-label="Sessions and agents">
        <AgentTree
          roster={state.roster}
          problem={state.listProblem}
          selectedId={route.view === 'agent' ? route.id : null}
        />
      </aside>
      <main class="main" id="main" tabIndex={-1}>
        {route.view === 'agent' && (
          <AgentView
            key={route.id}
            id={route.id}
            openPage={state.openPage}
            transcript={state.transcript}
            agents={state.roster.agents}
            inbox={state.inbox}
            questions={state.questions}
            onReadOn={() => props.live.readOn()}
            onAnswered={() => props.live.inboxChanged()}
          />
        )}
        {route.view === 'approvals' && (
          <Approvals
            inbox={state.inbox}
            questions={state.questions}
            agents={state.roster.agents}
            onAnswered={() => props.live.inboxChanged()}
          />
        )}
        {route.view === 'home' && <Home roster={state.roster} />}
      </main>
      <Workers workers={state.workers} />
      <p class="sr-only" role="status">
        {state.announcement}
      </p>
    </div>
  );
}

// The fragment is the route, so the link moves the focus by itself instead of changing the address.
function focusMain(event: Event): void {
  event.preventDefault();
  focusOn('main');
}

const focusOn = (id: string): void => document.getElementById(id)?.focus({ preventScroll: true });
