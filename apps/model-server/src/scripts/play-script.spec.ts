import { describe, expect, it } from '@jest/globals';
import type { Conversation } from '../conversation/conversation.js';
import { buildAnswer } from './build-answer.js';
import { chooseRule } from './choose-rule.js';
import { readFacts } from './facts.js';
import { historySeed } from './history-seed.js';
import { parseScript } from './parse-script.js';

const path = '';
const user = (text: string) => ({ role: 'user' as const, text, path });
const turn = (...ids: string[]) => ({
  role: 'assistant' as const,
  text: '',
  path,
  calls: ids.map((id) => ({ id, name: 'x', arguments: '{}' })),
});
const result = (callId: string, text: string) => ({ role: 'tool' as const, callId, text, path });

function play(script: unknown, conversation: Conversation) {
  const parsed = parseScript(script);
  if (!parsed.ok) throw new Error(parsed.issues.join('; '));
  const facts = readFacts('scripted:x', conversation, ['x']);
  const chosen = chooseRule(parsed.script, facts, () => false);
  if (chosen?.rule.answer === undefined) return null;
  return buildAnswer(
    chosen.rule.answer,
    { facts, captures: chosen.captures },
    historySeed('scripted:x', conversation),
  );
}
const textFor = (when: object, ...conversation: Conversation) =>
  play({ rules: [{ when, answer: { text: 'hit' } }, { answer: { text: 'miss' } }] }, conversation)?.text;

describe('which rule answers', () => {
  const history = [
    user('find 3 birds'),
    turn('a'),
    result('a', 'robin'),
    user('and 2 fish'),
    turn('b', 'c'),
    result('b', 'eel'),
    result('c', 'cod'),
  ];
  it.each([
    [{ lastUserContains: 'fish' }, 'hit'],
    [{ lastUserContains: 'birds' }, 'miss'],
    [{ anyUserContains: 'birds' }, 'hit'],
    [{ lastUserMatches: '^and \\d' }, 'hit'],
    [{ anyUserMatches: 'find (\\d)' }, 'hit'],
    [{ anyUserMatches: 'find (\\d{2})' }, 'miss'],
    [{ lastToolResultContains: 'cod' }, 'hit'],
    [{ lastToolResultContains: 'eel' }, 'miss'],
    [{ lastToolResultMatches: '^c.d$' }, 'hit'],
    [{ assistantTurns: 2 }, 'hit'],
    [{ assistantTurnsSinceLastUser: 1 }, 'hit'],
    [{ assistantTurnsSinceLastUser: { atLeast: 2 } }, 'miss'],
    [{ toolResultCount: { atLeast: 3, below: 4 } }, 'hit'],
    [{ toolResultsSinceLastUser: 2 }, 'hit'],
    [{ lastRole: 'tool' }, 'hit'],
    [{ lastRole: 'user' }, 'miss'],
    [{ declaresTool: 'x' }, 'hit'],
    [{ declaresTool: 'toString' }, 'miss'],
    [{ systemContains: 'terse' }, 'miss'],
    [{ lastUserMatches: '(\\d)', assistantTurnsSinceLastUser: { below: 'match:1' } }, 'hit'],
    [{ lastUserMatches: '(\\d)', toolResultsSinceLastUser: { below: 'match:1' } }, 'miss'],
    [{ lastUserMatches: '(and)', assistantTurnsSinceLastUser: { below: 'match:1' } }, 'miss'],
    [{ lastUserContains: 'fish', lastRole: 'user' }, 'miss'],
  ])('%j: %s', (when, expected) => {
    expect(textFor(when, ...history)).toBe(expected);
  });

  it('a script without a fitting rule answers nothing', () => {
    expect(play({ rules: [{ when: { lastUserContains: 'x' }, answer: {} }] }, [user('y')])).toBeNull();
  });

  it('equal histories get equal answers and call ids, a longer one gets new ids', () => {
    const script = {
      rules: [
        {
          answer: {
            toolCalls: [
              { name: 'x', arguments: {} },
              { name: 'x', arguments: {} },
            ],
          },
        },
      ],
    };
    const first = play(script, [user('go')]);
    expect(play(script, [user('go')])).toEqual(first);
    const ids = [first, play(script, [user('go'), turn('a'), result('a', 'ok')])].flatMap(
      (answer) => answer?.calls ?? [],
    );
    expect(new Set(ids.map((call) => call.id)).size).toBe(4);
  });
});

describe('what the answer holds', () => {
  it('placeholders are filled once, from the request and the captures', () => {
    const script = {
      rules: [
        {
          when: { lastUserMatches: 'read (\\S+)( quickly)?' },
          answer: {
            text: '{{match:1}}|{{match:2}}|{{turn}}|{{toolResult:-1}}|{{toolResult:7}}|{{lastUser}}',
          },
        },
      ],
    };
    const answer = play(script, [user('read {{model}} now'), turn('a'), result('a', 'R')]);
    expect(answer?.text).toBe('{{model}}||1|R||read {{model}} now');
  });

  it('captures of anyUserMatches come from the newest hit', () => {
    const script = { rules: [{ when: { anyUserMatches: 'go (\\w+)' }, answer: { text: '{{match:1}}' } }] };
    expect(play(script, [user('go left'), user('go right'), user('stop')])?.text).toBe('right');
  });

  it('arguments given as an object stay JSON whatever is filled in, given as text they stay as written', () => {
    const toolCalls = [
      { name: 'x', arguments: { path: ['{{lastUser}}'], n: 1 } },
      { name: 'x', arguments: '{"n": 1.10, "n": 1e2}' },
    ];
    const answer = play({ rules: [{ answer: { toolCalls } }] }, [user('a"b\\')]);
    expect(answer?.calls.map((call) => call.arguments)).toEqual([
      '{"path":["a\\"b\\\\"],"n":1}',
      '{"n": 1.10, "n": 1e2}',
    ]);
    expect(answer?.finishReason).toBe('tool_calls');
  });

  it('[L03] duplicateIds gives every call of every turn one id', () => {
    const calls = [
      { name: 'x', arguments: {} },
      { name: 'x', arguments: {} },
    ];
    const answer = play({ rules: [{ answer: { toolCalls: calls, duplicateIds: true } }] }, [user('a')]);
    expect(answer?.calls.map((call) => call.id)).toEqual(['dup', 'dup']);
  });

  it('[L07] malformedArguments leaves a beginning that is no JSON', () => {
    const answer = play(
      {
        rules: [
          { answer: { toolCalls: [{ name: 'x', arguments: { path: '/a' } }], malformedArguments: true } },
        ],
      },
      [user('a')],
    );
    expect(answer?.calls[0]?.arguments).toBe('{"path');
  });
});

describe('scripts that are refused', () => {
  it.each([
    [{}, 'rules'],
    [{ rules: [] }, 'rules'],
    [{ rules: [{}] }, 'either an answer or an error'],
    [{ rules: [{ answer: {}, error: { status: 500 } }] }, 'either an answer or an error'],
    [{ rules: [{ answer: { text: '{{lastuser}}' } }] }, 'unknown placeholder {{lastuser}}'],
    [{ rules: [{ answer: {}, when: { lastUserMatches: '(' } }] }, 'regular expression'],
    [{ rules: [{ answer: {}, when: { lastUser: 'x' } }] }, 'lastUser'],
    [{ rules: [{ error: { status: 200 } }] }, 'status'],
    [{ rules: [{ error: { status: 429, headers: { 'Retry-After': 'a\nb' } } }] }, 'headers'],
  ])('%j is refused: %s', (script, told) => {
    const parsed = parseScript(script);
    expect(parsed.ok ? 'accepted' : parsed.issues.join('; ')).toContain(told);
  });
});
