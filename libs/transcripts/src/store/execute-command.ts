import { absentAgent, type AgentMeta } from '../agent-meta/agent-meta.js';
import { evolve } from '../agent-meta/evolve.js';
import { accepted, type Decision, refused, type Refused } from '../agent/decision.js';
import { blockDamaged, damageRefusal } from '../agent/note-damage.js';
import type { AgentEvent } from '../events/agent-event.js';
import { decodeEvent, encodeEvent } from '../events/event-codec.js';
import type { EventContext, StreamHead } from '../events/recorded-event.js';
import type {
  AppendRequest,
  AppendResult,
  IdempotencyClaim,
  IdempotentOutcome,
  TranscriptStore,
} from './transcript-store.js';

/** A command lost to others more often than it may decide again. */
export interface Conflicted {
  readonly ok: false;
  readonly code: 'VERSION_CONFLICT';
  readonly message: string;
  readonly version: number;
}

export type CommandResult =
  | { readonly ok: true; readonly head: StreamHead; readonly duplicate?: IdempotentOutcome }
  | Refused
  | Conflicted;

export interface Command {
  readonly stream: string;
  readonly decide: (meta: AgentMeta) => Decision;
  readonly context: EventContext;
  readonly idempotency?: IdempotencyClaim;
  /** Streams that must exist when the events are recorded; refused with `AGENT_NOT_FOUND` when one does not. */
  readonly requires?: readonly string[];
  /** Decides also about an agent whose stream is damaged; any other command is refused there with `AGENT_DAMAGED`. */
  readonly evenDamaged?: boolean;
  /** Known state to start from instead of reading the stream, for writers that hold it. */
  readonly from?: AgentMeta;
}

export interface CommandTools {
  readonly store: TranscriptStore;
  readonly newId: () => string;
}

/** How often a command decides again after a conflict. A stream hotter than that is answered with a conflict. */
const attempts = 24;

/** Folds a whole stream. Memory is bounded by one page and the meta, whatever the stream's length. */
export async function loadMeta(store: TranscriptStore, stream: string, from?: AgentMeta): Promise<AgentMeta> {
  let meta = from ?? absentAgent(stream);
  let after: number | null = meta.head.version;
  while (after !== null) {
    const page = await store.readStream(stream, after);
    for (const record of page.events) meta = evolve(meta, decodeEvent(record));
    after = page.next;
  }
  return meta;
}

/**
 * The only place where a decision meets the store: 1 fold the stream, 2 decide, 3 append at the exact head,
 * 4 on a conflict read on and decide again, a bounded number of times. What was archived meanwhile is refused as not found.
 *
 * An agent whose stream is damaged is blocked by whoever meets it here first, in the log, so that everybody else sees it.
 */
export async function executeCommand(tools: CommandTools, command: Command): Promise<CommandResult> {
  let meta = command.from ?? (await loadMeta(tools.store, command.stream));
  for (let attempt = 0; attempt < attempts; attempt++) {
    const due = decidedNow(command, meta);
    const decision = due.decide(meta);
    const events = decision.ok ? encodeAll(decision.events, tools.newId) : null;
    if (events === null) {
      return (await earlierOutcome(tools.store, command, meta)) ?? settled(decision, meta);
    }
    const result = await tools.store.append({ ...pick(due), expected: meta.head, events });
    const answer = answerOf(result, meta);
    if (answer !== null && due === command) return answer;
    meta = await loadMeta(tools.store, command.stream, meta);
  }
  const version = meta.head.version;
  return {
    ok: false,
    code: 'VERSION_CONFLICT',
    message: `Agent ${command.stream} changed too often (version ${version}); try again.`,
    version,
  };
}

/** What is decided in the place of a command about a damaged agent: that it is blocked, and once that is recorded a refusal. */
function decidedNow(command: Command, { damage, tenant }: AgentMeta): Command {
  if (damage === null || command.evenDamaged === true) return command;
  // Where nothing of it can be read, whoever asks knows whose the agent is, or nobody does.
  const known = tenant === '' ? command.context.tenant : tenant;
  const decide = (meta: AgentMeta): Decision =>
    known === '' ? (damageRefusal(meta) ?? accepted()) : blockDamaged(meta);
  return { stream: command.stream, context: { actor: 'system:integrity', tenant: known }, decide };
}

function pick(command: Command) {
  const { stream, context, idempotency, requires = [] } = command;
  return { stream, context, requires, ...(idempotency === undefined ? {} : { idempotency }) };
}

function encodeAll(events: readonly AgentEvent[], newId: () => string): AppendRequest['events'] | null {
  const [first, ...rest] = events.map((event) => encodeEvent(event, newId()));
  return first === undefined ? null : [first, ...rest];
}

/** What an append comes to; null where the stream has gone on, so that the command is decided again. */
function answerOf(result: AppendResult, { agentId, head }: AgentMeta): CommandResult | null {
  if (result.ok) return result;
  switch (result.reason) {
    case 'duplicate':
      return { ok: true, head, duplicate: result.outcome };
    case 'missing':
      return gone(result.stream);
    case 'conflict':
      // Streams only grow, but for one that was archived as a whole since it was read.
      return result.version < head.version ? gone(agentId) : null;
  }
}

const gone = (agentId: string): Refused =>
  refused('AGENT_NOT_FOUND', `Agent ${agentId} is not here any more.`);

const settled = (decision: Decision, meta: AgentMeta): CommandResult =>
  decision.ok ? { ok: true, head: meta.head } : decision;

/**
 * What an earlier command recorded under the same key. A repeated command often finds nothing left to do, or is refused
 * by what the first one did: both get the first one's answer (spec 03 §2).
 */
async function earlierOutcome(
  store: TranscriptStore,
  { idempotency, context }: Command,
  meta: AgentMeta,
): Promise<CommandResult | null> {
  if (idempotency === undefined) return null;
  const duplicate = await store.findIdempotent(context.tenant, idempotency.key);
  return duplicate === null ? null : { ok: true, head: meta.head, duplicate };
}
