import type { EventData } from '../events/agent-event.js';
import { type EventFault, NO_STREAM, type StreamHead } from '../events/recorded-event.js';
import type { CallKey, Limits, Outcome, Surface, ToolRef, Usage } from '../events/shared-schemas.js';
import type { Runtime } from '../events/session-events.js';
import { GrowingSet } from './growing-set.js';

export type AgentKind = 'session' | 'fork' | 'subagent';

/** Public status of an agent (spec 05 §9); `absent` is a stream without events. */
export type AgentStatus =
  | 'absent'
  | 'queued'
  | 'running'
  | 'waiting'
  | 'interrupted'
  | 'blocked'
  | 'completed'
  | 'failed'
  | 'cancelled'
  | 'idle'
  | 'closed';

/** How far one call of the current batch got. `answered` calls have exactly one recorded result. */
export type CallState = 'open' | 'allowed' | 'asked' | 'approved' | 'denied' | 'started' | 'answered';

export interface BatchCall {
  readonly key: CallKey;
  readonly name: string;
  /** The model's argument text. */
  readonly arguments: string;
  readonly truncated: boolean;
  readonly state: CallState;
  readonly tool: ToolRef | null;
  /** Rule that let the call pass the gate. */
  readonly rule: string;
  readonly repeatable: boolean;
  readonly approvalId: string | null;
  /** Of the tool as it was when the call was asked about: an answer is for that tool only. */
  readonly fingerprint: string | null;
  /** Of the arguments that were asked about: an answer is for those only. */
  readonly argumentsDigest: string | null;
  /** What its arguments stood for when it was asked about or started; null where they stand for themselves. */
  readonly snapshot: string | null;
  /** The open question that this call asked. */
  readonly questionId: string | null;
}

export interface PendingMessage {
  readonly messageId: string;
  readonly from: string;
  readonly text: string;
}

export interface RunClaim {
  readonly runId: string;
  readonly epoch: number;
  readonly activation: number;
  readonly workerId: string;
  /** What the run asks, whatever its session changes meanwhile. */
  readonly model: string;
  readonly startedAt: string;
}

export interface PendingApproval {
  readonly approvalId: string;
  readonly data: EventData<'ApprovalRequested'>;
  readonly requestedAt: string;
}

export interface PendingQuestion {
  readonly questionId: string;
  readonly data: EventData<'QuestionAsked'>;
  readonly askedAt: string;
}

/**
 * The fold of one transcript into the facts that decisions and revival need (spec 03). Bounded in size: it holds
 * the current batch and what is pending, never the history. Not stored: revival folds it from the log each time.
 */
export interface AgentMeta {
  readonly agentId: string;
  readonly kind: AgentKind;
  readonly tenant: string;
  readonly head: StreamHead;
  readonly status: AgentStatus;
  readonly createdAt: string;
  readonly updatedAt: string;
  /** Present for sessions: the current parent runtime. */
  readonly runtime: Runtime | null;
  readonly title: string | null;
  readonly closed: boolean;
  /** True once a message asked a session to run: its turns are Offshoot's, not a host's. */
  readonly hosted: boolean;
  /** Present for forks and subagents. */
  readonly launch: EventData<'AgentLaunched'> | null;
  readonly bootstrap: EventData<'BootstrapRecorded'> | null;
  readonly launchPrompt: EventData<'LaunchPromptRecorded'> | null;
  readonly limits: Limits;
  readonly run: RunClaim | null;
  readonly lastRun: RunClaim | null;
  /** Epoch of the last claim, 0 before the first. */
  readonly epoch: number;
  readonly activation: number;
  readonly surface: Surface | null;
  readonly turns: number;
  readonly toolCalls: number;
  readonly usage: Usage;
  /** Turns of which no tokens are known, and turns of which no cost is known: the sums leave them out. */
  readonly unreportedTurns: number;
  readonly unpricedTurns: number;
  /** Size of the last request, and its tokens as the provider counted them; null while nothing is known. */
  readonly lastRequest: { readonly bytes: number; readonly inputTokens: number } | null;
  /** Compactions since the last turn: more than a few of them are no progress. */
  readonly compactions: number;
  /** Milliseconds in which a run held the agent, over its whole life. */
  readonly activeMs: number;
  readonly batch: readonly BatchCall[];
  /** Where the last recorded turn stands: a fork launched inside its batch inherits up to here. */
  readonly turnHead: StreamHead;
  readonly pending: readonly PendingMessage[];
  /** True while a user message or delivered outcome of a session has not been answered by a turn. */
  readonly unanswered: boolean;
  readonly lastText: string;
  readonly approvals: ReadonlyMap<string, PendingApproval>;
  readonly questions: ReadonlyMap<string, PendingQuestion>;
  readonly waitingFor: readonly string[];
  readonly waitUntilMs: number | null;
  /** Attempts of the turn that is waited for between two of them. */
  readonly modelAttempts: number;
  readonly blocked: { readonly reason: string; readonly detail: string } | null;
  readonly outcome: Outcome | null;
  readonly refusedTools: readonly string[];
  readonly refusals: number;
  /** Refused calls since the last call that ran. */
  readonly refusalStreak: number;
  /** Digests of the last calls with their outcomes, oldest first. */
  readonly recentCalls: readonly string[];
  /** Workers lost in a row in the middle of a call of this agent, without a call that really finished between them. */
  readonly crashesWithoutProgress: number;
  /** The same, without a call of it under way: somebody else's call may have taken them. A turn is progress then too. */
  readonly crashesOutsideCalls: number;
  /** Children whose outcomes were delivered, as `<agentId>/<activation>`, so that none is delivered twice. */
  readonly delivered: GrowingSet<string>;
  /** Set when an event states a policy fact that this release cannot read: the agent must not run (POL-6). */
  readonly unreadablePolicy: string | null;
  /** The first event that is not what was recorded. Nothing behind it is folded, but for a cancel; the agent is blocked (spec 03 §1). */
  readonly damage: { readonly version: number; readonly fault: EventFault } | null;
  /** True from a block for damage until it is lifted, also where the agent had ended and where the stream verifies by now. */
  readonly isDamageNoted: boolean;
}

const noUsage: Usage = { inputTokens: 0, cachedTokens: 0, cacheWriteTokens: 0, outputTokens: 0, costUsd: 0 };

/** The meta of a stream that does not exist. */
export function absentAgent(agentId: string): AgentMeta {
  return {
    agentId,
    kind: 'session',
    tenant: '',
    head: NO_STREAM,
    status: 'absent',
    createdAt: '',
    updatedAt: '',
    runtime: null,
    title: null,
    closed: false,
    hosted: false,
    launch: null,
    bootstrap: null,
    launchPrompt: null,
    limits: {},
    run: null,
    lastRun: null,
    epoch: 0,
    activation: 1,
    surface: null,
    turns: 0,
    toolCalls: 0,
    usage: noUsage,
    unreportedTurns: 0,
    unpricedTurns: 0,
    lastRequest: null,
    compactions: 0,
    activeMs: 0,
    batch: [],
    turnHead: NO_STREAM,
    pending: [],
    unanswered: false,
    lastText: '',
    approvals: new Map(),
    questions: new Map(),
    waitingFor: [],
    waitUntilMs: null,
    modelAttempts: 0,
    blocked: null,
    outcome: null,
    refusedTools: [],
    refusals: 0,
    refusalStreak: 0,
    recentCalls: [],
    crashesWithoutProgress: 0,
    crashesOutsideCalls: 0,
    delivered: GrowingSet.of(),
    unreadablePolicy: null,
    damage: null,
    isDamageNoted: false,
  };
}

const endedStatuses: ReadonlySet<AgentStatus> = new Set(['completed', 'failed', 'cancelled']);

/** True when the agent's activation has its terminal event. */
export const hasEnded = (meta: AgentMeta): boolean => endedStatuses.has(meta.status);

/** True when a worker may claim the agent now. */
export const isDispatchable = (meta: AgentMeta): boolean =>
  meta.status === 'queued' || meta.status === 'interrupted';

/** Calls of the current batch that have no recorded result yet, in the model's order. */
export const unansweredCalls = (meta: AgentMeta): readonly BatchCall[] =>
  meta.batch.filter((call) => call.state !== 'answered');
