import { describe, expect, it } from '@jest/globals';
import { defaultLimits } from '#agents';
import { absentAgent, type AgentEvent, evolve } from '#transcripts';
import { call, callKey, event, recorded, says, specAgentId } from '#transcripts/testing';
import { judgeProgress } from './judge-progress.js';

const opening = [event.agentLaunched(), event.runStarted()];

type Answer = (turn: number) => AgentEvent;

const finishes =
  (outcome: 'ok' | 'error' | 'denied' | 'unknown', content = 'the same'): Answer =>
  (turn) =>
    event.toolCallFinished({ call: callKey(0, turn), name: 'tool', outcome, content });
const refuses =
  (reason: string): Answer =>
  (turn) =>
    event.toolCallRefused({ call: callKey(0, turn), name: 'tool', reason });

/** One call a turn with its answer, for as many turns as it takes to be stopped; -1 for a hundred without a stop. */
function stoppedAt(answer: Answer, argumentsOf: (turn: number) => string = () => '{"a":1,"b":2}'): number {
  const turns = Array.from({ length: 100 }, (_, index) => index + 1);
  const facts = turns.flatMap((turn) => {
    const asked = call('tool', `call-${turn}-0`, argumentsOf(turn));
    return [event.turnRecorded({ turn, message: says('', asked) }), answer(turn)];
  });
  let meta = absentAgent(specAgentId);
  for (const fact of recorded([...opening, ...facts])) {
    meta = evolve(meta, fact);
    const isBetweenTurns = fact.type === 'ToolCallFinished' || fact.type === 'ToolCallRefused';
    if (isBetweenTurns && judgeProgress(meta, defaultLimits, 0)?.reason === 'no_progress') return meta.turns;
  }
  return -1;
}

describe('[L13] an agent that makes no progress is stopped', () => {
  it.each<[string, Answer]>([
    ['the same call that succeeds', finishes('ok')],
    ['the same call that fails', finishes('error')],
    ['the same call that is denied', finishes('denied')],
    ['the same call of unknown outcome', finishes('unknown')],
    ['the same call that policy refuses', refuses('not_in_allowlist')],
    ['the same call of a tool that does not exist', refuses('not_declared')],
  ])('for %s, after eight', (_what, answer) => {
    expect(stoppedAt(answer)).toBe(8);
  });

  it('for the same call in other spellings of its arguments', () => {
    const spellings = ['{"a":1,"b":2}', '{ "b": 2, "a": 1 }', '{"a":1.0,\n"b":2}'];
    expect(stoppedAt(finishes('error'), (turn) => spellings[turn % 3] ?? '')).toBe(8);
  });

  it('for arguments that are no JSON, again and again', () => {
    expect(stoppedAt(finishes('error'), () => '{"a":')).toBe(8);
  });

  it('for two calls in turn', () => {
    expect(stoppedAt(finishes('error'), (turn) => `{"a":${turn % 2}}`)).toBe(15);
  });

  it('for refusals of all kinds in a row, after ten', () => {
    const reasons = ['not_in_allowlist', 'not_declared', 'mode_ceiling', 'deny_all'];
    expect(
      stoppedAt(
        (turn) => refuses(reasons[turn % 4] ?? '')(turn),
        (turn) => `{"a":${turn}}`,
      ),
    ).toBe(10);
  });
});

describe('an agent that makes progress goes on', () => {
  it.each<[string, Answer, (turn: number) => string]>([
    ['other arguments', finishes('ok'), (turn) => `{"a":${turn}}`],
    ['other failures', (turn) => finishes('error', `failure ${turn}`)(turn), () => '{}'],
    ['other results of the same call', (turn) => finishes('ok', `state ${turn}`)(turn), () => '{}'],
  ])('with %s', (_what, answer, argumentsOf) => {
    expect(stoppedAt(answer, argumentsOf)).toBe(-1);
  });

  it('when a call runs between refusals', () => {
    const answer: Answer = (turn) =>
      turn % 9 === 0 ? finishes('ok')(turn) : refuses('not_in_allowlist')(turn);
    expect(stoppedAt(answer, (turn) => `{"a":${turn}}`)).toBe(-1);
  });
});
