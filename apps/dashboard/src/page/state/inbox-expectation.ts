import type { LiveEvent } from './cloud-event.js';
import { text } from './read.js';

/** What is listed, an approval or a question, as far as it matters here. */
export interface Listed {
  readonly id: string;
  readonly agentId: string;
}

interface Expected {
  readonly agentId: string;
  readonly isOpen: boolean;
}

const ends = new Set(['AgentCompleted', 'AgentFailed', 'AgentCancelled']);

/**
 * What the inbox must say after the events that were heard. The lists may be a moment behind the stream, so one
 * answer of them proves nothing: they are asked again until they say what was heard, a bounded number of times.
 */
export class InboxExpectation {
  readonly #expected = new Map<string, Expected>();

  /** Takes events in; true when the inbox must be read for them. */
  hear(events: readonly LiveEvent[], inbox: readonly Listed[]): boolean {
    const isTouched = events.map((event) => this.#hearOne(event, inbox));
    return isTouched.includes(true);
  }

  /** Drops what the inbox now says; true when something is still missing or still there. */
  compare(inbox: readonly Listed[]): boolean {
    const open = new Set(inbox.map(({ id }) => id));
    for (const [id, { isOpen }] of this.#expected) {
      if (open.has(id) === isOpen) this.#expected.delete(id);
    }
    return this.#expected.size > 0;
  }

  /** Expects nothing more: what the list says after all tries is what there is. */
  giveUp(): void {
    this.#expected.clear();
  }

  #hearOne({ name, agentId, facts }: LiveEvent, inbox: readonly Listed[]): boolean {
    if (ends.has(name)) return this.#hearEnd(agentId, inbox);
    if (!name.startsWith('Approval') && !name.startsWith('Question')) return false;
    const id = text(facts, 'approvalId', 'questionId');
    const isOpen = name === 'ApprovalRequested' || name === 'QuestionAsked';
    if (id !== null) this.#expected.set(id, { agentId, isOpen });
    return true;
  }

  /** With an agent end the questions that it left open. */
  #hearEnd(agentId: string, inbox: readonly Listed[]): boolean {
    const shown = inbox.filter((listed) => listed.agentId === agentId).map(({ id }) => id);
    const awaited = [...this.#expected].filter(([, expected]) => expected.agentId === agentId);
    const ids = [...shown, ...awaited.map(([id]) => id)];
    for (const id of ids) this.#expected.set(id, { agentId, isOpen: false });
    return ids.length > 0;
  }
}
