import { exactEntry, rawForm, type ToolIdentity } from '#policy';
import type { CallKey, DecodedEvent, UnknownEvent } from '#transcripts';

/** How a call ended; `unfinished` is one without a recorded result. */
export type UseOutcome = (typeof outcomes)[number];

/** In the order in which they are told. */
const outcomes = ['ok', 'error', 'denied', 'unknown', 'skipped', 'unfinished'] as const;

/** What became of the calls of one tool that the gate let through. */
export interface ToolUse {
  readonly tool: ToolIdentity;
  readonly calls: number;
  readonly outcomes: Readonly<Partial<Record<UseOutcome, number>>>;
}

/** One entry of the suggested list and what it is needed for. */
export interface EntryUse extends ToolUse {
  readonly entry: string;
}

/** Calls of one name that the gate refused for one reason. */
export interface RefusedUse {
  readonly name: string;
  readonly tool: ToolIdentity | null;
  readonly reason: string;
  readonly calls: number;
}

/**
 * The least list under which an agent's calls would have run as they did: exact names only, in the order of first use. `unneeded` passed the
 * gate but never started; `unnameable` ran, but no exact entry can name it. At most 1,000 names are told apart among the refused.
 */
export interface ListSuggestion {
  readonly forkTools: readonly string[];
  readonly uses: readonly EntryUse[];
  readonly unneeded: readonly ToolUse[];
  readonly unnameable: readonly ToolUse[];
  readonly refused: readonly RefusedUse[];
  readonly refusedCalls: number;
}

/** Most refused names that are told apart: a model can make up names without end. */
const MAX_REFUSED = 1_000;

interface Use {
  readonly tool: ToolIdentity;
  readonly outcomes: Map<UseOutcome, number>;
  calls: number;
  started: boolean;
}

/**
 * Folds a transcript, event by event in the order of its stream, into the list it needed. Memory is bounded by the number of distinct tools
 * and the calls that are open, not by the length of the transcript.
 */
export class ListSuggester {
  private readonly uses = new Map<string, Use>();
  private readonly open = new Map<string, Use>();
  private readonly refused = new Map<string, RefusedUse>();
  private refusedCalls = 0;

  add(event: DecodedEvent | UnknownEvent): void {
    switch (event.type) {
      case 'ToolCallAllowed':
        this.open.set(keyOf(event.data.call), this.useOf(event.data.tool));
        return;
      case 'ToolCallRefused':
        this.refuse(event.data);
        return;
      case 'ToolCallStarted':
        this.useOf(event.data.tool).started = true;
        this.open.set(keyOf(event.data.call), this.useOf(event.data.tool));
        return;
      case 'ToolCallFinished':
        this.finish(keyOf(event.data.call), event.data.outcome);
        return;
      default:
    }
  }

  /** The list so far. */
  suggestion(): ListSuggestion {
    const unfinished = new Map<Use, number>();
    for (const use of this.open.values()) unfinished.set(use, (unfinished.get(use) ?? 0) + 1);
    const uses = [...this.uses.values()].map((use) => ({
      started: use.started,
      entry: exactEntry(use.tool),
      use: printed(use, unfinished.get(use) ?? 0),
    }));
    const needed = uses.filter(({ started }) => started);
    const named = needed.flatMap(({ entry, use }) => (entry === null ? [] : [{ entry, ...use }]));
    return {
      forkTools: named.map(({ entry }) => entry),
      uses: named,
      unneeded: uses.filter(({ started }) => !started).map(({ use }) => use),
      unnameable: needed.filter(({ entry }) => entry === null).map(({ use }) => use),
      refused: [...this.refused.values()],
      refusedCalls: this.refusedCalls,
    };
  }

  private useOf(tool: ToolIdentity): Use {
    const key = JSON.stringify('name' in tool ? [tool.name] : [tool.server, tool.tool]);
    const known = this.uses.get(key);
    if (known !== undefined) return known;
    const use: Use = { tool, outcomes: new Map(), calls: 0, started: false };
    this.uses.set(key, use);
    return use;
  }

  private finish(key: string, outcome: UseOutcome): void {
    const use = this.open.get(key);
    // A call that never passed the gate can be answered too, by the repair of a lost run.
    if (use === undefined) return;
    this.open.delete(key);
    use.calls += 1;
    use.outcomes.set(outcome, (use.outcomes.get(outcome) ?? 0) + 1);
  }

  private refuse({ name, tool, reason }: Omit<RefusedUse, 'calls'>): void {
    this.refusedCalls += 1;
    const key = JSON.stringify([name, reason, tool === null ? null : rawForm(tool)]);
    const known = this.refused.get(key);
    if (known === undefined && this.refused.size >= MAX_REFUSED) return;
    this.refused.set(key, { name, tool, reason, calls: (known?.calls ?? 0) + 1 });
  }
}

const keyOf = ({ turn, index }: CallKey): string => `${turn}/${index}`;

function printed(use: Use, unfinished: number): ToolUse {
  const counts = new Map(use.outcomes);
  if (unfinished > 0) counts.set('unfinished', unfinished);
  const told = outcomes.flatMap((outcome) => {
    const count = counts.get(outcome);
    return count === undefined ? [] : [[outcome, count] as const];
  });
  return { tool: use.tool, calls: use.calls + unfinished, outcomes: Object.fromEntries(told) };
}
