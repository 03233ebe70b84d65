import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { LogPlace } from '../events/recorded-event.js';
import { formatLogCursor, parseLogCursor } from './log-cursor.js';

const logId = '0192f0c1-7b1e-7c3a-9d55-3f1f6b1e2a44';
const largest = { generation: 2 ** 32 - 1, xid: 2n ** 64n - 1n, position: 2n ** 63n - 1n };
const places = fc.record({
  generation: fc.integer({ min: 1, max: largest.generation }),
  xid: fc.bigInt({ min: 0n, max: largest.xid }),
  position: fc.bigInt({ min: 0n, max: largest.position }),
});

describe('a public log cursor', () => {
  it('[E09] gives back the place that it was made of, digit for digit', () => {
    fc.assert(
      fc.property(places, (place) => {
        expect(parseLogCursor(formatLogCursor(logId, place), { logId, end: largest })).toEqual({
          ok: true,
          place,
        });
      }),
    );
  });

  it('[S12] is written in a closed alphabet that no stream format can break on', () => {
    fc.assert(
      fc.property(places, (place) => {
        expect(formatLogCursor(logId, place)).toMatch(/^[A-Za-z0-9_-]{50}$/);
      }),
    );
  });

  it('is foreign in another log', () => {
    const cursor = formatLogCursor('0192f0c1-7b1e-7c3a-9d55-3f1f6b1e2a45', place());
    expect(parseLogCursor(cursor, { logId, end: largest })).toEqual({ ok: false, reason: 'foreign' });
  });

  it('is of the future behind the end of the log, by position, xid or generation, and in an empty log', () => {
    const end = place();
    const behind = [
      { position: end.position + 1n },
      { xid: end.xid + 1n, position: 0n },
      { generation: 3, xid: 0n },
    ];
    for (const part of behind) {
      const cursor = formatLogCursor(logId, { ...end, ...part });
      expect(parseLogCursor(cursor, { logId, end })).toEqual({ ok: false, reason: 'future' });
    }
    expect(parseLogCursor(formatLogCursor(logId, end), { logId, end })).toEqual({ ok: true, place: end });
    expect(parseLogCursor(formatLogCursor(logId, end), { logId, end: null })).toEqual({
      ok: false,
      reason: 'future',
    });
  });

  it('is malformed when it is cut, longer, respelled, of another format, or no text at all', () => {
    const cursor = formatLogCursor(logId, place());
    const respelled = cursor.replace(/w$/, 'x');
    expect(respelled).not.toBe(cursor);
    const bad = [
      cursor.slice(1),
      `${cursor}A`,
      respelled,
      `B${cursor.slice(1)}`,
      `${cursor}\n`,
      '',
      undefined,
      7,
      ['a'],
    ];
    for (const text of bad)
      expect(parseLogCursor(text, { logId, end: largest })).toEqual({ ok: false, reason: 'malformed' });
  });

  it('never throws, whatever a client sends', () => {
    fc.assert(
      fc.property(fc.anything(), (text) => {
        expect(parseLogCursor(text, { logId, end: largest }).ok).toBe(false);
      }),
    );
  });
});

function place(): LogPlace {
  // Ends in a byte whose spare bits are zero in the text that we write.
  return { generation: 2, xid: 9_007_199_254_740_993n, position: 9_007_199_254_740_995n };
}
