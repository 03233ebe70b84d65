import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { renderResult } from './render-result.js';

const text = (given: unknown) => renderResult(given).text;

describe('a result of a server', () => {
  it('is its text, block by block', () =>
    expect(
      renderResult({
        content: [
          { type: 'text', text: 'a' },
          { type: 'text', text: 'b' },
        ],
      }),
    ).toEqual({
      outcome: 'ok',
      text: 'a\nb',
    }));

  it('is an error where the server says so', () =>
    expect(renderResult({ content: [], isError: true }).outcome).toBe('error'));

  it('names what is no text, with its size', () => {
    const content = [
      { type: 'image', data: 'AAAA', mimeType: 'image/png' },
      { type: 'audio', data: 'AAA=', mimeType: 'audio/wav' },
      { type: 'resource', resource: { uri: 'a://b', mimeType: 'text/plain', text: 'inside' } },
      { type: 'resource', resource: { uri: 'a://c', blob: 'AA==' } },
      { type: 'resource_link', uri: 'a://d', name: 'd', size: 5 },
      { type: 'hologram' },
      7,
    ];
    expect(text({ content }).split('\n')).toEqual([
      '[image, image/png, 3 bytes]',
      '[audio, audio/wav, 2 bytes]',
      '[resource, a://b, text/plain]',
      'inside',
      '[resource, a://c, 1 bytes]',
      '[link, d, a://d, 5 bytes]',
      '[content of a kind that is not known here]',
      '[content of a kind that is not known here]',
    ]);
  });

  it('shows structured content once, though a text says the same in another order', () => {
    const structuredContent = { a: 1, b: [2] };
    const same = { content: [{ type: 'text', text: '{"b":[2],"a":1}' }], structuredContent };
    expect(text(same)).toBe('{"b":[2],"a":1}');
    expect(text({ content: [{ type: 'text', text: 'one' }], structuredContent })).toBe(
      'one\n{"a":1,"b":[2]}',
    );
    expect(text({ structuredContent })).toBe('{"a":1,"b":[2]}');
    expect(text({ toolResult: 5 })).toBe('5');
  });

  it('[M15] never throws, whatever it is', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (given) => {
        expect(typeof text({ content: [given], structuredContent: given })).toBe('string');
        expect(typeof text(given)).toBe('string');
      }),
    );
    expect(renderResult(null).outcome).toBe('error');
    expect(renderResult(undefined).outcome).toBe('error');
  });
});
