import { describe, expect, it } from '@jest/globals';
import { readChatRequest } from './read-chat-request.js';
import { reasoningDetails } from './reasoning-details.js';

const issued = reasoningDetails('scripted:a', ['first thought', 'second thought']);
const [first, second] = issued;
const replay = (model: string, details: unknown) =>
  readChatRequest(
    Buffer.from(
      JSON.stringify({
        model,
        messages: [
          { role: 'user', content: 'x' },
          { role: 'assistant', content: 'y', reasoning_details: details },
          { role: 'user', content: 'z' },
        ],
      }),
    ),
  ).ok;

describe('reasoning blocks on their way back', () => {
  it('[L21] all blocks of an answer, unchanged, are taken by the model that issued them', () => {
    expect(replay('scripted:a', issued)).toBe(true);
  });

  it.each([
    ['to another model', 'scripted:b', issued],
    ['with the text changed', 'scripted:a', [{ ...first, text: 'first thought ' }, second]],
    ['with the text emptied', 'scripted:a', [{ ...first, text: '' }, second]],
    ['in another order', 'scripted:a', [second, first]],
    ['in part', 'scripted:a', [first]],
    ['without the seal', 'scripted:a', [{ type: 'reasoning.text', text: 'first thought' }]],
    ['with a key added', 'scripted:a', [{ ...first, seen: true }, second]],
    [
      'with keys in another order',
      'scripted:a',
      [Object.fromEntries(Object.entries(first!).toReversed()), second],
    ],
  ])('[L21] blocks that come back %s are refused', (_title, model, details) => {
    expect(replay(model, details)).toBe(false);
  });
});
