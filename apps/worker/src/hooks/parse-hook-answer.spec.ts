import { expect, it } from '@jest/globals';
import fc from 'fast-check';
import { parseHookAnswer } from './parse-hook-answer.js';

it('an empty answer, an empty object and "continue" let the call go on as it is', () => {
  for (const text of ['', ' \n', '{}', '{"decision":"continue"}', '{"reason":"looked"}'])
    expect(parseHookAnswer(text)).toEqual({ ok: true, decision: 'continue', arguments: null });
});

it('a block carries its reason, and beats a rewrite', () => {
  expect(parseHookAnswer('{"decision":"block","reason":"no","arguments":{}}')).toEqual({
    ok: true,
    decision: 'block',
    reason: 'no',
  });
});

it('a rewrite is taken as the object it is, also a key that objects have of their own', () => {
  const text = '{"arguments":{"__proto__":{"a":1},"n":1}}';
  expect(parseHookAnswer(text)).toMatchObject({ arguments: '{"__proto__":{"a":1},"n":1}' });
});

it.each([
  'yes',
  'true',
  '[]',
  'null',
  '"block"',
  '{"decision":"allow"}',
  '{"decision":"Block"}',
  '{"decision":null}',
  '{"permission":"allow"}',
  '{"arguments":[]}',
  '{"arguments":"{}"}',
  '{"arguments":null}',
  '{"decision":"continue"} trailing',
])('%s is no consent', (text) => {
  expect(parseHookAnswer(text)).toMatchObject({ ok: false });
});

it('an answer nested deeper than is let near anything is refused, not followed', () => {
  const deep = `{"arguments":{"a":${'['.repeat(100_000)}${']'.repeat(100_000)}}}`;
  expect(parseHookAnswer(deep)).toMatchObject({ ok: false });
});

it('never throws, and goes on only with an empty answer or a known object', () => {
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string(),
        fc.json(),
        fc.jsonValue().map((value) => JSON.stringify(value)),
      ),
      (text) => {
        const answer = parseHookAnswer(text);
        if (!answer.ok || answer.decision === 'block') return;
        const isKnown = text.trim() === '' || /^\s*\{/.test(text);
        expect(isKnown).toBe(true);
      },
    ),
  );
});
