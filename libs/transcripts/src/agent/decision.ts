import type { AgentEvent } from '../events/agent-event.js';

/** Codes of refused commands. Public: they become problem codes (spec 05 §1) and are pinned by a spec. */
export const TranscriptCode = Object.freeze({
  AGENT_NOT_FOUND: 'AGENT_NOT_FOUND',
  AGENT_EXISTS: 'AGENT_EXISTS',
  AGENT_ENDED: 'AGENT_ENDED',
  AGENT_BUSY: 'AGENT_BUSY',
  AGENT_NOT_ENDED: 'AGENT_NOT_ENDED',
  AGENT_DAMAGED: 'AGENT_DAMAGED',
  RUN_HELD: 'RUN_HELD',
  RUN_LOST: 'RUN_LOST',
  MESSAGES_PENDING: 'MESSAGES_PENDING',
  NOT_A_SESSION: 'NOT_A_SESSION',
  SESSION_CLOSED: 'SESSION_CLOSED',
  SESSION_OPEN: 'SESSION_OPEN',
  SPAWN_FORBIDDEN: 'SPAWN_FORBIDDEN',
  DEPTH_EXCEEDED: 'DEPTH_EXCEEDED',
  APPROVAL_NOT_FOUND: 'APPROVAL_NOT_FOUND',
  QUESTION_NOT_FOUND: 'QUESTION_NOT_FOUND',
  ALREADY_DELIVERED: 'ALREADY_DELIVERED',
  FORK_POINT_INVALID: 'FORK_POINT_INVALID',
} as const);
export type TranscriptCode = (typeof TranscriptCode)[keyof typeof TranscriptCode];

/** A command that was refused: an expected outcome, not a fault. */
export interface Refused {
  readonly ok: false;
  readonly code: TranscriptCode;
  readonly message: string;
}

/** Events to record, or a refusal. An empty list means that there is nothing left to do. */
export type Decision = { readonly ok: true; readonly events: readonly AgentEvent[] } | Refused;

export const accepted = (...events: readonly AgentEvent[]): Decision => ({ ok: true, events });

export const refused = (code: TranscriptCode, message: string): Refused => ({ ok: false, code, message });
