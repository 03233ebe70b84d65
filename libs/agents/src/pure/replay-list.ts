import {
  type AgentBounds,
  type AgentKind,
  type Allowlist,
  type Ceiling,
  compileGate,
  type Gate,
  type RefusalReason,
  resolveForkPolicy,
  type Result,
  type StoredPolicy,
  type ToolSurface,
} from '#policy';
import { absentAgent, type CallKey, type DecodedEvent, type Surface, type UnknownEvent } from '#transcripts';
import { lastSurface } from './bind-surface.js';

/** The list to try on a transcript, and the bounds of its agent that stay as they were. */
export interface ReplayInput {
  readonly kind: AgentKind;
  readonly forkTools: Allowlist;
  /** The workflow mode to launch in. */
  readonly mode: string;
  /** Used instead of the ceiling that the mode puts on a launch. */
  readonly ceiling?: Ceiling;
  /** Bounds of the agents above it, from its parent upwards. */
  readonly ancestors: readonly AgentBounds[];
}

/** A recorded call to which the list answers otherwise than, or refuses as, the gate did. */
export interface ReplayedCall {
  readonly turn: number;
  readonly index: number;
  readonly name: string;
  /** Why it would be refused; null when it would be allowed. */
  readonly reason: RefusalReason | null;
  /** Why it was refused; null when it was allowed. */
  readonly recordedReason: string | null;
}

/** What a list would have changed. Lists hold the first 1,000 calls each; the counts are of all. */
export interface ListReplayed {
  readonly policy: StoredPolicy;
  readonly calls: number;
  readonly refusedCalls: number;
  /** Calls that the list would have refused, whether they were refused then or not. */
  readonly refused: readonly ReplayedCall[];
  readonly newlyAllowedCalls: number;
  /** Calls that were refused and would have been allowed. */
  readonly newlyAllowed: readonly ReplayedCall[];
}

const MAX_NAMED = 1_000;

/**
 * Judges a list for a replay, in the order of a launch (spec 02 §5): outside Build mode it must lie in the closed list. The rejection is the
 * one that the launch would have answered with.
 */
export function replayList(input: ReplayInput): Result<ListReplay> {
  const judged = resolveForkPolicy(input);
  return judged.ok ? { ok: true, value: new ListReplay(input, judged.value) } : judged;
}

/**
 * Replays the recorded gate decisions of one transcript under another list, event by event in the order of its stream. Each call meets the
 * surface of its time; wire names in the list are bound once, to the first surface that the agent ran with, as a launch binds them.
 */
export class ListReplay {
  private policy: StoredPolicy;
  private readonly ceiling: Ceiling;
  private gate: Gate | null = null;
  private calls = 0;
  private refusedCalls = 0;
  private newlyAllowedCalls = 0;
  private readonly refused: ReplayedCall[] = [];
  private readonly newlyAllowed: ReplayedCall[] = [];

  constructor(
    private readonly input: ReplayInput,
    judged: { readonly policy: StoredPolicy; readonly ceiling: Ceiling },
  ) {
    this.policy = judged.policy;
    this.ceiling = input.ceiling ?? judged.ceiling;
  }

  add(event: DecodedEvent | UnknownEvent): void {
    switch (event.type) {
      case 'RunStarted':
      case 'SurfaceChanged':
        this.meet(event.data.surface);
        return;
      case 'ToolCallAllowed':
        this.judge(event.data.call, event.data.name, null);
        return;
      case 'ToolCallRefused':
        this.judge(event.data.call, event.data.name, event.data.reason);
        return;
      default:
    }
  }

  /** What was found so far. */
  result(): ListReplayed {
    const { policy, calls, refusedCalls, newlyAllowedCalls } = this;
    return {
      policy,
      calls,
      refusedCalls,
      refused: [...this.refused],
      newlyAllowedCalls,
      newlyAllowed: [...this.newlyAllowed],
    };
  }

  private meet(recorded: Surface): void {
    const surface = lastSurface({ ...absentAgent(''), surface: recorded });
    if (surface === null) return;
    if (this.gate === null) this.bind(surface);
    const { kind, ancestors } = this.input;
    this.gate = compileGate({ kind, surface, policy: this.policy, ceiling: this.ceiling, ancestors });
  }

  private bind(surface: ToolSurface): void {
    const bound = resolveForkPolicy({ ...this.input, surface });
    if (bound.ok) this.policy = bound.value.policy;
  }

  private judge({ turn, index }: CallKey, name: string, recordedReason: string | null): void {
    this.calls += 1;
    const reason = this.reasonFor(name, recordedReason);
    const call: ReplayedCall = { turn, index, name, reason, recordedReason };
    if (reason !== null) {
      this.refusedCalls += 1;
      if (this.refused.length < MAX_NAMED) this.refused.push(call);
    } else if (recordedReason !== null) {
      this.newlyAllowedCalls += 1;
      if (this.newlyAllowed.length < MAX_NAMED) this.newlyAllowed.push(call);
    }
  }

  /** No list gives a tool an executor that it had not. */
  private reasonFor(name: string, recordedReason: string | null): RefusalReason | null {
    const decision = this.gate?.decide(name) ?? { allowed: false as const, reason: 'undeclared' as const };
    if (!decision.allowed) return decision.reason;
    return recordedReason === 'no_executor' ? 'no_executor' : null;
  }
}
