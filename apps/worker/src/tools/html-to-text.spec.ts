import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { htmlToText } from './html-to-text.js';

describe('the text of a page', () => {
  it('keeps what is read and drops what is not', () => {
    const page =
      '<!doctype html><HEAD><title>t</title></HEAD><body><h1>Title</h1><script>if (a<b) x()</script><p>One <b>two</b>\n   three</p><!-- <p>no</p> --><ul><li>a</li><li>b</li></ul>';
    expect(htmlToText(page)).toBe('Title\n\nOne two\nthree\n\na\n\nb');
  });

  it('decodes entities, and leaves alone what is none', () => {
    expect(htmlToText('a &lt;b&gt; &amp;amp; &#65;&#x1F600; &nope; &#xD800; &#0; & done')).toBe(
      'a <b> &amp; A😀 &nope; &#xD800; &#0; & done',
    );
  });

  it('text that was never closed ends with the page', () => {
    expect(htmlToText('a<script>never')).toBe('a');
    expect(htmlToText('a<b')).toBe('a');
    expect(htmlToText('a<!-- b')).toBe('a');
  });

  it('a page made of a million openings is read in one go', () => {
    for (const opening of ['<script', '<!--', '<', '<script>', '</', '&#'])
      expect(htmlToText(opening.repeat(1_000_000)).length).toBeLessThanOrEqual(2_000_000);
  });

  it('never throws, and makes no markup of text', () => {
    const pieces = fc.constantFrom(
      '<',
      '>',
      '/',
      'p',
      'script',
      '<!--',
      '-->',
      ' ',
      'İ',
      '&lt;',
      '&#60;',
      'x',
    );
    fc.assert(
      fc.property(fc.array(pieces), (parts) => {
        expect(typeof htmlToText(parts.join(''))).toBe('string');
      }),
    );
  });
});
