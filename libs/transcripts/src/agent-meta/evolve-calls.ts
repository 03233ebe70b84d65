import { createHash } from 'node:crypto';
import type { EventData } from '../events/agent-event.js';
import { textOfMessage } from '../events/message.js';
import type { CallKey, Usage } from '../events/shared-schemas.js';
import type { AgentMeta, BatchCall } from './agent-meta.js';
import { canonicalArguments } from './canonical-arguments.js';
import type { Evolvers } from './evolvers.js';

/** How many recent calls the no-progress breaker can see. */
const recentCallsKept = 24;

/** Turns, and the calls of their batch. */
export const callEvolvers: Evolvers = {
  TurnRecorded: (meta, data, record) => ({
    ...meta,
    turnHead: { version: record.version, hash: record.hash },
    turns: meta.turns + 1,
    modelAttempts: 0,
    crashesOutsideCalls: 0,
    usage: addUsage(meta.usage, data.usage),
    unreportedTurns: meta.unreportedTurns + (data.isUsageReported === false ? 1 : 0),
    compactions: 0,
    lastRequest: requestOf(data) ?? meta.lastRequest,
    unpricedTurns: meta.unpricedTurns + (data.isPriced === false ? 1 : 0),
    batch: batchOf(data),
    unanswered: false,
    lastText: textOfMessage(data.message) || meta.lastText,
  }),
  ToolCallAllowed: (meta, data) =>
    updateCall(meta, data.call, (call) => ({ ...call, state: 'allowed', tool: data.tool, rule: data.rule })),
  ToolCallRefused: (meta, data) => {
    const refused = updateCall(meta, data.call, (call) => ({ ...call, state: 'answered' }));
    return remember(
      {
        ...refused,
        toolCalls: meta.toolCalls + 1,
        refusals: meta.refusals + 1,
        refusalStreak: meta.refusalStreak + 1,
        refusedTools: meta.refusedTools.includes(data.name)
          ? meta.refusedTools
          : [...meta.refusedTools, data.name].slice(0, 64),
      },
      data.call,
      `refused:${data.reason}`,
    );
  },
  ToolCallClassified: (meta, data) => ({ ...meta, usage: addUsage(meta.usage, data.usage) }),
  ToolCallStarted: (meta, data) =>
    updateCall(meta, data.call, (call) => ({
      ...call,
      state: 'started',
      tool: data.tool,
      rule: data.rule,
      repeatable: data.repeatable,
      snapshot: data.snapshot ?? null,
    })),
  ToolCallFinished: (meta, data) => {
    const ran = data.outcome === 'ok' || data.outcome === 'error';
    const finished = updateCall(meta, data.call, (call) => ({ ...call, state: 'answered' }));
    return remember(
      {
        ...finished,
        toolCalls: meta.toolCalls + 1,
        refusalStreak: ran ? 0 : meta.refusalStreak,
        crashesWithoutProgress: ran ? 0 : meta.crashesWithoutProgress,
        crashesOutsideCalls: ran ? 0 : meta.crashesOutsideCalls,
      },
      data.call,
      `${data.outcome}:${data.content}`,
    );
  },
  HistoryCompacted: (meta, data) => ({
    ...meta,
    compactions: meta.compactions + 1,
    usage: data.usage === undefined ? meta.usage : addUsage(meta.usage, data.usage),
  }),
};

/** Applies a change to one call of the current batch; one that is not in it or has its answer is left alone. */
export function updateCall(meta: AgentMeta, key: CallKey, change: (call: BatchCall) => BatchCall): AgentMeta {
  const isMeant = (call: BatchCall): boolean =>
    call.key.turn === key.turn && call.key.index === key.index && call.state !== 'answered';
  return { ...meta, batch: meta.batch.map((call) => (isMeant(call) ? change(call) : call)) };
}

function batchOf(data: EventData<'TurnRecorded'>): readonly BatchCall[] {
  if (data.message.role !== 'assistant') return [];
  return data.message.blocks
    .filter((block) => block.type === 'call')
    .map((block, index) => ({
      key: { turn: data.turn, index, providerId: block.id },
      name: block.name,
      arguments: block.arguments,
      truncated: block.truncated === true,
      state: 'open',
      tool: null,
      rule: '',
      repeatable: false,
      approvalId: null,
      fingerprint: null,
      argumentsDigest: null,
      snapshot: null,
      questionId: null,
    }));
}

/** Null where the provider told no usage. */
function requestOf({ usage, request }: EventData<'TurnRecorded'>): AgentMeta['lastRequest'] {
  const inputTokens = usage.inputTokens + usage.cachedTokens + usage.cacheWriteTokens;
  return inputTokens === 0 ? null : { bytes: request.bytes, inputTokens };
}

function addUsage(a: Usage, b: Usage): Usage {
  return {
    inputTokens: a.inputTokens + b.inputTokens,
    cachedTokens: a.cachedTokens + b.cachedTokens,
    cacheWriteTokens: a.cacheWriteTokens + b.cacheWriteTokens,
    outputTokens: a.outputTokens + b.outputTokens,
    costUsd: a.costUsd + b.costUsd,
  };
}

function remember(meta: AgentMeta, key: CallKey, outcome: string): AgentMeta {
  const call = meta.batch.find(
    (candidate) => candidate.key.turn === key.turn && candidate.key.index === key.index,
  );
  if (call === undefined) return meta;
  const digest = createHash('sha256')
    .update(JSON.stringify([call.name, canonicalArguments(call.arguments), outcome]))
    .digest('base64url');
  return { ...meta, recentCalls: [...meta.recentCalls, digest.slice(0, 22)].slice(-recentCallsKept) };
}
