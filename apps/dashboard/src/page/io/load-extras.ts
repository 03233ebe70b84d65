import { parsePage } from '../state/agent.js';
import { parseAgentPage } from '../state/agent-page.js';
import { parseApproval } from '../state/approvals.js';
import type { OpenPage, PageState } from '../state/page-state.js';
import { parseQuestion } from '../state/questions.js';
import { withAgents } from '../state/roster.js';
import { parseWorker } from '../state/workers.js';
import { get } from './api.js';
import type { Store } from './store.js';

/** Reads the open agent's facts; what is shown stays while the server cannot answer. */
export async function loadOpenPage(store: Store<PageState>): Promise<void> {
  const { route } = store.state;
  if (route.view !== 'agent') return;
  const answer = await get(`/v1/agents/${encodeURIComponent(route.id)}`);
  const page = answer.ok ? parseAgentPage(answer.body) : null;
  store.update((state) => {
    if (state.route.view !== 'agent' || state.route.id !== route.id) return state;
    if (page !== null) {
      return { ...state, openPage: { phase: 'shown', page }, roster: withAgents(state.roster, [page.agent]) };
    }
    const problem = answer.ok ? 'The answer is not an agent.' : answer.problem;
    const openPage: OpenPage =
      state.openPage.phase === 'shown' ? state.openPage : { phase: 'failed', problem };
    return { ...state, openPage };
  });
}

/** Reads the workers; null when the server does not tell. */
export async function loadWorkers(store: Store<PageState>): Promise<void> {
  const answer = await get('/v1/workers');
  const workers = answer.ok ? parsePage(answer.body).items.flatMap((item) => parseWorker(item) ?? []) : null;
  store.update((state) => ({ ...state, workers }));
}

/** Reads the approvals that wait. An endpoint that does not exist leaves no inbox; a passing fault leaves the last one. */
export async function loadInbox(store: Store<PageState>): Promise<void> {
  const answer = await get('/v1/approvals?status=pending');
  if (!answer.ok && answer.status !== 404) return;
  const inbox = answer.ok ? parsePage(answer.body).items.flatMap((item) => parseApproval(item) ?? []) : null;
  store.update((state) => ({ ...state, inbox }));
}

/** Reads the questions that wait, under the same terms. */
export async function loadQuestions(store: Store<PageState>): Promise<void> {
  const answer = await get('/v1/questions?status=pending');
  if (!answer.ok && answer.status !== 404) return;
  const questions = answer.ok
    ? parsePage(answer.body).items.flatMap((item) => parseQuestion(item) ?? [])
    : null;
  store.update((state) => ({ ...state, questions }));
}
