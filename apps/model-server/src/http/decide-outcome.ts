import { countUsage } from '../cache/count-usage.js';
import { tokensOf } from '../cache/token-count.js';
import type { Usage } from '../protocol/answer.js';
import type { ModelCall } from '../protocol/model-call.js';
import type { ErrorReply, Reply } from '../protocol/protocol.js';
import { buildAnswer } from '../scripts/build-answer.js';
import { capAnswer } from '../scripts/cap-answer.js';
import { chooseRule, type ChosenRule } from '../scripts/choose-rule.js';
import { ErrorCounter } from '../scripts/error-counter.js';
import { readFacts, type Facts } from '../scripts/facts.js';
import { historySeed } from '../scripts/history-seed.js';
import { scriptNameOf } from '../scripts/script-name.js';
import type { Delivery, Script, ScriptedAnswer, ScriptedError } from '../scripts/script-schema.js';
import type { ServerContext } from './server-context.js';

const defaultChunkSize = 64;

/** What the server will do about a request that passed its checks. */
export type Outcome =
  | { readonly kind: 'refused'; readonly status: number; readonly error: ErrorReply }
  | { readonly kind: 'error'; readonly error: ScriptedError; readonly delivery: Delivery }
  | { readonly kind: 'answer'; readonly reply: Reply; readonly delivery: Delivery };

function refuse(status: number, code: string, message: string, param: string): Outcome {
  return { kind: 'refused', status, error: { status, code, message, param, type: null } };
}

function overrideUsage(usage: Usage, scripted: ScriptedAnswer['usage']): Usage {
  return scripted === undefined ? usage : { ...usage, ...scripted };
}

interface Asked {
  readonly call: ModelCall;
  readonly body: Buffer;
  readonly facts: Facts;
}

function answerWith(
  asked: Asked,
  scripted: ScriptedAnswer,
  chosen: ChosenRule,
  context: ServerContext,
): Outcome {
  const { call, body, facts } = asked;
  const seed = historySeed(call.model, call.conversation);
  const built = buildAnswer(scripted, { facts, captures: chosen.captures }, seed);
  const answer = capAnswer(built, call.maxOutputTokens);
  const sharedBytes = context.caches.observe(call.model, body);
  const counted = countUsage(
    { bodyBytes: body.length, sharedBytes, cacheableBytes: call.cacheableBytes },
    answer,
  );
  const { delivery } = chosen.rule;
  const reply: Reply = {
    call,
    id: seed,
    createdAt: Math.floor(context.nowMs() / 1000),
    answer,
    usage: overrideUsage(counted, scripted.usage),
    chunkSize: delivery.chunkSize ?? defaultChunkSize,
  };
  return { kind: 'answer', reply, delivery };
}

function play(script: Script, asked: Asked, context: ServerContext): Outcome {
  const name = scriptNameOf(asked.call.model);
  const keyOf = (index: number) => ErrorCounter.keyOf(name, index, asked.body);
  const isSpent = (index: number) => {
    const times = script.rules[index]?.error?.times;
    return times !== undefined && context.errors.count(keyOf(index)) >= times;
  };
  const chosen = chooseRule(script, asked.facts, isSpent);
  if (chosen === null) {
    return refuse(
      400,
      'no_rule_matched',
      `No rule of the script '${name}' matches this request.`,
      'messages',
    );
  }
  const { answer, error, delivery } = chosen.rule;
  if (answer !== undefined) return answerWith(asked, answer, chosen, context);
  if (error?.times !== undefined) context.errors.add(keyOf(chosen.index));
  return { kind: 'error', error: error ?? { status: 500 }, delivery };
}

/** Looks up the script, holds the request against its window and plays it. */
export function decideOutcome(call: ModelCall, body: Buffer, context: ServerContext): Outcome {
  const script = context.library.find(call.model);
  if (script === null) {
    return refuse(
      404,
      'model_not_found',
      `The model '${call.model}' does not exist: no such script.`,
      'model',
    );
  }
  const window = script.window ?? context.windowTokens;
  const tokens = tokensOf(body.length);
  if (tokens > window) {
    const message = `This model's maximum context length is ${window} tokens. However, your request has ${tokens} tokens.`;
    return refuse(400, 'context_length_exceeded', message, 'messages');
  }
  const facts = readFacts(call.model, call.conversation, call.toolNames);
  return play(script, { call, body, facts }, context);
}
