import { expect } from '@jest/globals';
import { absentAgent, type AgentMeta } from '../agent-meta/agent-meta.js';
import { evolve } from '../agent-meta/evolve.js';
import type { Decision, TranscriptCode } from '../agent/decision.js';
import type { AgentEvent } from '../events/agent-event.js';
import { recorded, specAgentId } from './events.js';

/** Folds events as if they had been recorded, the first as version 1. */
export function metaOf(...events: readonly AgentEvent[]): AgentMeta {
  return recorded(events).reduce<AgentMeta>(evolve, absentAgent(specAgentId));
}

/**
 * The language of decider specs: given what was recorded, when a command is decided, then these events, a refusal, or
 * nothing. Events are compared whole.
 */
export function given(...events: readonly AgentEvent[]) {
  return {
    when: (decide: (meta: AgentMeta) => Decision) => {
      const decision = decide(metaOf(...events));
      return {
        then: (...expected: readonly AgentEvent[]): void => {
          expect(decision).toEqual({ ok: true, events: expected });
        },
        thenNothing: (): void => {
          expect(decision).toEqual({ ok: true, events: [] });
        },
        thenRejected: (code: TranscriptCode): void => {
          expect(decision).toMatchObject({ ok: false, code });
        },
      };
    },
  };
}
