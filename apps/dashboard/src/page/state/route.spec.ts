import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { parseRoute, printRoute } from './route.js';

describe('the address of the page', () => {
  it('an agent is read back as it was written, whatever its id', () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1, unit: 'grapheme' }), (id) => {
        expect(parseRoute(printRoute({ view: 'agent', id }))).toEqual({ view: 'agent', id });
      }),
    );
  });

  it.each(['', '#', '#/', '#/agents', '#/agents/', '#/nothing'])('%j is home', (hash) => {
    expect(parseRoute(hash)).toEqual({ view: 'home' });
  });

  it('a torn escape is kept as it is', () => {
    expect(parseRoute('#/agents/%E0%A4')).toEqual({ view: 'agent', id: '%E0%A4' });
  });
});
