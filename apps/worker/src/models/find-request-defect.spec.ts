import { describe, expect, it } from '@jest/globals';

import { findHistoryDefect } from './find-history-defect.js';
import { findRequestDefect } from './find-request-defect.js';
import { buildRequest, call, calling, results, user } from './testing/build-request.js';

const ask = user('x');
const schema = '{"type":"object"}';

describe('findHistoryDefect', () => {
  it.each([
    ['a call without a result at the end', [ask, calling(call('a'))], 1],
    ['a call without a result before the next message', [ask, calling(call('a')), user('y')], 1],
    ['one of two equal ids without its result', [ask, calling(call('a'), call('a')), results(['a', 'r'])], 1],
    ['a result without a call', [ask, results(['a', 'r'])], 1],
    ['a second result', [ask, calling(call('a')), results(['a', 'r'], ['a', 'r'])], 2],
    [
      'a result of the batch before',
      [ask, calling(call('a')), results(['a', 'r']), calling(), results(['a', 'r'])],
      4,
    ],
    ['no message', [], 0],
  ])('[C19] %s is found at its index', (_name, messages, index) => {
    expect(findHistoryDefect(messages)).toMatchObject({ index });
  });

  it('[C19] results of one batch may stand in several messages', () => {
    const messages = [ask, calling(call('a'), call('b')), results(['b', 'r']), results(['a', 'r'])];
    expect(findHistoryDefect(messages)).toBeNull();
  });
});

describe('findRequestDefect', () => {
  it.each([
    ['settings that are no object', { settings: '[]' }],
    ['settings that are no JSON', { settings: '{' }],
    ['settings that set what the renderer owns', { settings: '{"temperature":1,"stream":false}' }],
    [
      'a tool name that is no wire name',
      { declarations: [{ name: 'a.b', description: '', parametersText: schema }] },
    ],
    [
      'a schema that is no object',
      { declarations: [{ name: 'a', description: '', parametersText: 'true' }] },
    ],
    [
      'a tool that is declared twice',
      { declarations: ['a', 'a'].map((name) => ({ name, description: '', parametersText: schema })) },
    ],
  ])('refuses %s', (_name, fields) => {
    expect(findRequestDefect(buildRequest(fields))).toEqual({ reason: expect.any(String) });
  });

  it('[C19] names the message to blame', () => {
    const defect = findRequestDefect(buildRequest({ messages: [ask, calling(call('a'))] }));
    expect(defect?.messageIndex).toBe(1);
  });

  it('lets a whole request pass', () => {
    expect(findRequestDefect(buildRequest())).toBeNull();
  });
});
