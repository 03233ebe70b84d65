import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { LinePage, type Page, type PageRequest } from './line-page.js';

function pageOf(pieces: readonly string[], request: PageRequest): Page {
  const page = new LinePage(request);
  for (const piece of pieces) if (!page.push(piece)) break;
  return page.finish();
}

const pieces = fc.array(fc.constantFrom('a', 'bb', '\n', 'c\n', '\r\n', '😀', ''), { maxLength: 60 });

describe('a page of lines', () => {
  it('pages that are read one after the other are the whole text, however it came in pieces', () => {
    fc.assert(
      fc.property(pieces, fc.integer({ min: 1, max: 5 }), (parts, limit) => {
        let offset: number | undefined = 1;
        let text = '';
        while (offset !== undefined) {
          const page: Page = pageOf(parts, { offset, limit, budget: 1_000 });
          expect(page.text.split('\n').length).toBeLessThanOrEqual(limit + 1);
          text += page.text;
          offset = page.next;
        }
        expect(text).toBe(parts.join(''));
      }),
    );
  });

  it('a page is never longer than its budget, and always goes on behind what it showed', () => {
    fc.assert(
      fc.property(pieces, fc.integer({ min: 1, max: 8 }), (parts, budget) => {
        let offset: number | undefined = 1;
        while (offset !== undefined) {
          const page: Page = pageOf(parts, { offset, limit: 100, budget });
          expect(Array.from(page.text).length).toBeLessThanOrEqual(budget);
          if (page.next !== undefined) expect(page.next).toBeGreaterThan(offset);
          offset = page.next;
        }
      }),
    );
  });
});
