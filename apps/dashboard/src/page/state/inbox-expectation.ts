import type { Approval } from './approvals.js';
import type { LiveEvent } from './cloud-event.js';
import { text } from './read.js';

interface Expected {
  readonly agentId: string;
  readonly isOpen: boolean;
}

const ends = new Set(['AgentCompleted', 'AgentFailed', 'AgentCancelled']);

/**
 * What the inbox must say after the events that were heard. The list of approvals may be a moment behind the stream, so one
 * answer of it proves nothing: it is asked again until it says what was heard, a bounded number of times.
 */
export class InboxExpectation {
  readonly #expected = new Map<string, Expected>();

  /** Takes events in; true when the inbox must be read for them. */
  hear(events: readonly LiveEvent[], inbox: readonly Approval[]): boolean {
    const isTouched = events.map((event) => this.#hearOne(event, inbox));
    return isTouched.includes(true);
  }

  /** Drops what the inbox now says; true when something is still missing or still there. */
  compare(inbox: readonly Approval[]): boolean {
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

  #hearOne({ name, agentId, facts }: LiveEvent, inbox: readonly Approval[]): boolean {
    if (ends.has(name)) return this.#hearEnd(agentId, inbox);
    if (!name.startsWith('Approval')) return false;
    const id = text(facts, 'approvalId');
    if (id !== null) this.#expected.set(id, { agentId, isOpen: name === 'ApprovalRequested' });
    return true;
  }

  /** With an agent end the questions that it left open. */
  #hearEnd(agentId: string, inbox: readonly Approval[]): boolean {
    const shown = inbox.filter((approval) => approval.agentId === agentId).map(({ id }) => id);
    const awaited = [...this.#expected].filter(([, expected]) => expected.agentId === agentId);
    const ids = [...shown, ...awaited.map(([id]) => id)];
    for (const id of ids) this.#expected.set(id, { agentId, isOpen: false });
    return ids.length > 0;
  }
}
