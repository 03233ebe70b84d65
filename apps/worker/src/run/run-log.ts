import { catchUp, ChainBrokenError, type LoadedAgent } from '#agents';
import {
  type AgentEvent,
  type Decision,
  encodeEvent,
  type EventContext,
  holds,
  type NewEvent,
  type TranscriptStore,
} from '#transcripts';
import { foldRecorded } from './fold-recorded.js';

/** The run no longer holds its agent. Whoever meets this writes nothing more and starts nothing more (RUN-1). */
export class RunLostError extends Error {
  readonly code = 'RUN_LOST';
}

export interface RunLogTools {
  readonly store: TranscriptStore;
  readonly newId: () => string;
  /** For the local copy of an event only; the database stamps what is recorded. */
  readonly now: () => Date;
}

/**
 * A run's hold on its transcript: the folded state and the only way to write to it. Appends go one after the other;
 * each is decided on the state it is appended to. On a conflict the tail is read: while the run still holds the agent
 * (a message or an approval came in) it decides again, otherwise it is lost.
 */
export class RunLog {
  private tail: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly tools: RunLogTools,
    private readonly loaded: LoadedAgent,
    readonly epoch: number,
    private readonly context: EventContext,
  ) {}

  get meta() {
    return this.loaded.meta;
  }

  get history() {
    return this.loaded.history;
  }

  /**
   * Records what `decide` accepts, and returns its decision. Throws `RunLostError` when the run is over, and `ChainBrokenError` when the stored
   * transcript is not the one that the run holds.
   */
  append(decide: (meta: LoadedAgent['meta']) => Decision): Promise<Decision> {
    return this.enqueue(() => this.appendNow(decide));
  }

  /** Records facts of a run that needs no decision beyond still holding the agent. */
  async record(...events: readonly AgentEvent[]): Promise<void> {
    await this.append(() => ({ ok: true, events }));
  }

  /** Reads what others recorded. Throws `RunLostError` when that took the agent away. */
  refresh(): Promise<void> {
    return this.enqueue(async () => {
      await catchUp(this.tools.store, this.loaded);
      this.assertHeld();
    });
  }

  private async appendNow(decide: (meta: LoadedAgent['meta']) => Decision): Promise<Decision> {
    for (;;) {
      this.assertHeld();
      const decision = decide(this.meta);
      if (!decision.ok) return decision;
      const [first, ...rest] = decision.events.map((event) => encodeEvent(event, this.tools.newId()));
      if (first === undefined) return decision;
      const events: [NewEvent, ...NewEvent[]] = [first, ...rest];
      const expected = this.meta.head;
      const result = await this.tools.store.append({
        stream: this.meta.agentId,
        expected,
        events,
        context: this.context,
      });
      if (result.ok) {
        const { context } = this;
        foldRecorded(this.loaded, {
          ...{ events, before: expected, head: result.head, context },
          recordedAt: this.tools.now(),
        });
        return decision;
      }
      await catchUp(this.tools.store, this.loaded);
      // Nobody else wrote: what stands there is not what this run stands on.
      const { agentId, head } = this.meta;
      if (head.version === expected.version) throw new ChainBrokenError(agentId, head.version, 'broken_link');
    }
  }

  private assertHeld(): void {
    if (!holds(this.meta, this.epoch)) {
      throw new RunLostError(
        `Epoch ${this.epoch} no longer holds agent ${this.meta.agentId}: it is ${this.meta.status} at epoch ${this.meta.epoch}.`,
      );
    }
  }

  private enqueue<T>(step: () => Promise<T>): Promise<T> {
    const result = this.tail.then(step, step);
    this.tail = result.catch(() => undefined);
    return result;
  }
}
