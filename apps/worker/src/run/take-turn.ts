import type { AgentEvent } from '#transcripts';
import { inputRoom, requestSize, tokenDensity } from '../models/context-window.js';
import type { ModelReply, ModelRequest } from '../models/model.js';
import type { ProviderLimiter } from '../models/provider-limiter.js';
import { type Asked, askModel, type Unanswered } from './ask-model.js';
import { compactHistory } from './compaction/compact-history.js';
import { gateCalls } from './gate-turn.js';
import type { RunContext } from './run-context.js';
import { usageOf } from './usage-of.js';

/** How a turn came out: recorded, a durable wait, a block that an operator mends, or the end of the agent. */
export type TurnOutcome =
  | { readonly kind: 'recorded'; readonly reply: ModelReply }
  | Unanswered
  | { readonly kind: 'failed'; readonly reason: string; readonly detail: string };

/** Compactions before one turn, failed ones included; what is too large after them is too large for good (L15). */
const mostCompactions = 2;

/**
 * Asks the model for the history as it stands, and records its turn together with the gate's decisions on its calls. A history that
 * is too large for the model is compacted first, or when the model says so.
 */
export async function takeTurn(run: RunContext, limiter: ProviderLimiter): Promise<TurnOutcome> {
  for (let failures = 0; ;) {
    const request = requestOf(run);
    const asked = isTooLarge(request, run) ? null : await askModel(run, request, limiter);
    if (asked !== null && !isOverflow(asked)) return afterAsking(asked, run);
    const room = await makeRoom(run, limiter, requestSize(request), failures);
    if (typeof room !== 'string') return room;
    if (room === 'failed') failures += 1;
  }
}

async function makeRoom(
  run: RunContext,
  limiter: ProviderLimiter,
  requestBytes: number,
  failures: number,
): Promise<'compacted' | 'failed' | TurnOutcome> {
  const attempt = run.log.meta.compactions + failures;
  const compaction =
    attempt < mostCompactions ? await compactHistory(run, limiter, requestBytes, attempt) : 'nothing_to_gain';
  return compaction === 'nothing_to_gain' ? ended(run, 'context_overflow', tooLarge) : compaction;
}

const tooLarge = 'The request is larger than the window of the model, also after the history was compacted.';
/** Share of the room behind which a history is compacted before the provider has to refuse it. */
const fullShare = 0.9;

/** Judged by the last request that the provider counted. Once compacted, only what does not fit at all is too large. */
function isTooLarge(request: ModelRequest, run: RunContext): boolean {
  const room = inputRoom(run.services.modelLimits(run.runtime.model));
  if (room === null) return false;
  const tokens = requestSize(request) * tokenDensity(run.log.meta.lastRequest);
  return tokens > room * (run.log.meta.compactions > 0 ? 1 : fullShare);
}

const isOverflow = (asked: Asked): boolean => 'fault' in asked && asked.fault.code === 'context_overflow';

async function afterAsking(asked: Asked, run: RunContext): Promise<TurnOutcome> {
  if ('kind' in asked) return asked;
  if ('fault' in asked) return ended(run, asked.fault.code, asked.fault.message);
  run.signal.throwIfAborted();
  await recordTurn(run, asked.reply);
  return { kind: 'recorded', reply: asked.reply };
}

/** The same bytes would be refused for ever. A session has no end: it is blocked until its runtime or history changes. */
function ended(run: RunContext, reason: string, detail: string): TurnOutcome {
  return { kind: run.log.meta.kind === 'session' ? 'blocked' : 'failed', reason, detail };
}

/** The request: the current runtime's system text, declarations and settings, then the transcript's messages. */
export function requestOf(run: RunContext): ModelRequest {
  const { runtime, bound, log } = run;
  const { messages, inheritedLengths } = log.history.build();
  const definition = log.meta.launch?.definition ?? null;
  return {
    model: run.modelName,
    system: definition === null ? runtime.systemInstruction : definition.systemPrompt,
    declarations: bound.declarations.map(({ name, description, parameters }) => ({
      name,
      description,
      parametersText: parameters,
    })),
    settings: runtime.settings,
    messages,
    inheritedLengths,
  };
}

async function recordTurn(run: RunContext, reply: ModelReply): Promise<void> {
  const turn = run.log.meta.turns + 1;
  const calls = reply.blocks
    .filter((block) => block.type === 'call')
    .map((block, index) => ({ key: { turn, index, providerId: block.id }, name: block.name }));
  const recorded: AgentEvent = {
    type: 'TurnRecorded',
    data: {
      epoch: run.epoch,
      turn,
      message: { role: 'assistant', blocks: [...reply.blocks] },
      stopReason: reply.stopReason,
      ...usageOf(run, reply),
      model: run.runtime.model,
      request: { ...reply.request },
    },
  };
  await run.log.record(recorded, ...gateCalls(calls, run.bound));
}
