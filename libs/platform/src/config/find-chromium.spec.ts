import { describe, expect, it } from '@jest/globals';
import { dirname } from 'node:path';
import { ConfigError } from './config-error.js';
import { findChromium } from './find-chromium.js';

describe('the browser program', () => {
  it('is the named one, wherever the path leads', () => {
    expect(findChromium({ OFFSHOOT_CHROMIUM: ` ${process.execPath} `, PATH: '' })).toBe(process.execPath);
  });

  it('is none on a path without one, and where the variable says so', () => {
    expect(findChromium({ PATH: dirname(import.meta.filename) })).toBeNull();
    expect(findChromium({})).toBeNull();
    expect(findChromium({ OFFSHOOT_CHROMIUM: 'none', PATH: process.env['PATH'] })).toBeNull();
  });

  it.each(['/no/such/chromium', '/', import.meta.filename])(
    'is refused by name when it is no program: %s',
    (named) => {
      expect(() => findChromium({ OFFSHOOT_CHROMIUM: named })).toThrow(ConfigError);
      expect(() => findChromium({ OFFSHOOT_CHROMIUM: named })).toThrow(/OFFSHOOT_CHROMIUM/);
    },
  );
});
