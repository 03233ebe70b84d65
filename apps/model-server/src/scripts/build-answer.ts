import type { Answer, AnswerCall, FinishReason } from '../protocol/answer.js';
import type { ScriptedAnswer } from './script-schema.js';
import { fillJson, fillTemplate, type TemplateScope } from './template.js';

type ScriptedCall = NonNullable<ScriptedAnswer['toolCalls']>[number];

function argumentsOf(call: ScriptedCall, scope: TemplateScope): string {
  if (typeof call.arguments === 'string') return fillTemplate(call.arguments, scope);
  return JSON.stringify(fillJson(call.arguments, scope));
}

/** The first half of a text: no beginning of a JSON object is itself JSON. */
function cutShort(text: string): string {
  const points = Array.from(text);
  return points.slice(0, Math.max(1, Math.floor(points.length / 2))).join('');
}

function buildCalls(scripted: ScriptedAnswer, scope: TemplateScope, seed: string): readonly AnswerCall[] {
  return (scripted.toolCalls ?? []).map((call, index) => {
    const text = argumentsOf(call, scope);
    return {
      id: scripted.duplicateIds === true ? 'dup' : (call.id ?? `call_${seed}${index}`),
      name: call.name,
      arguments: scripted.malformedArguments === true ? cutShort(text) : text,
    };
  });
}

function finishReasonOf(scripted: ScriptedAnswer, calls: readonly AnswerCall[]): FinishReason {
  return scripted.finishReason ?? (calls.length > 0 ? 'tool_calls' : 'stop');
}

/**
 * Turns a scripted answer into a ready one. `seed` makes the ids of calls: it must be a function of the history, so
 * that equal histories get equal ids and a longer history gets new ones.
 */
export function buildAnswer(scripted: ScriptedAnswer, scope: TemplateScope, seed: string): Answer {
  const calls = buildCalls(scripted, scope, seed);
  const reasoning =
    typeof scripted.reasoning === 'string' ? [scripted.reasoning] : (scripted.reasoning ?? []);
  return {
    reasoning: reasoning.map((text) => fillTemplate(text, scope)),
    text: fillTemplate(scripted.text ?? '', scope),
    calls,
    finishReason: finishReasonOf(scripted, calls),
  };
}
