import type { AgentPage } from './agent-page.js';
import type { Inbox } from './approvals.js';
import { parseLevel } from './agent.js';
import type { Frame, LiveEvent } from './cloud-event.js';
import type { Connection } from './connection.js';
import type { Question } from './questions.js';
import { emptyRoster, withEvents, withLevel, type Roster } from './roster.js';
import type { Route } from './route.js';
import { withLiveEvents, type Transcript } from './transcript.js';
import type { Worker } from './workers.js';

/** The open agent's facts, or why they cannot be shown. */
export type OpenPage =
  | { readonly phase: 'none' | 'loading' }
  | { readonly phase: 'shown'; readonly page: AgentPage }
  | { readonly phase: 'failed'; readonly problem: string };

/** Everything the page shows. */
export interface PageState {
  readonly connection: Connection;
  readonly roster: Roster;
  /** Why the list of agents could not be read; null when it could. */
  readonly listProblem: string | null;
  readonly route: Route;
  readonly openPage: OpenPage;
  readonly transcript: Transcript | null;
  readonly workers: readonly Worker[] | null;
  readonly inbox: Inbox;
  /** Questions that wait; null while the server has no such endpoint. */
  readonly questions: readonly Question[] | null;
  /** What happened last that a screen reader should say. */
  readonly announcement: string;
}

export const initialState: PageState = {
  connection: 'connecting',
  roster: emptyRoster,
  listProblem: null,
  route: { view: 'home' },
  openPage: { phase: 'none' },
  transcript: null,
  workers: null,
  inbox: null,
  questions: null,
  announcement: '',
};

/** Folds a batch of frames, in their order. Gaps change nothing here: whoever reads the stream reads everything again. */
export function withFrames(state: PageState, frames: readonly Frame[]): PageState {
  const events = frames.flatMap((frame) => (frame.kind === 'event' ? [frame.event] : []));
  const roster = frames.reduce(
    (folded, frame) => (frame.kind === 'level' ? withLevel(folded, parseLevel(frame.facts)) : folded),
    withEvents(state.roster, events),
  );
  const transcript = state.transcript === null ? null : withLiveEvents(state.transcript, events);
  return { ...state, roster, transcript, announcement: announce(state, events) ?? state.announcement };
}

const announced: Readonly<Record<string, string>> = {
  AgentCompleted: 'completed',
  AgentFailed: 'failed',
  AgentCancelled: 'was cancelled',
  RunInterrupted: 'was interrupted',
  RevivalBlocked: 'is blocked',
  ApprovalRequested: 'asks for approval',
  QuestionAsked: 'asks a question',
};

function announce(state: PageState, events: readonly LiveEvent[]): string | null {
  const event = events.findLast((candidate) => Object.hasOwn(announced, candidate.name));
  if (event === undefined) return null;
  const agent = state.roster.agents.get(event.agentId);
  return `${agent?.description || 'An agent'} ${announced[event.name] ?? 'changed'}`;
}
