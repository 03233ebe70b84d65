import { findChromium } from '#platform';

/**
 * The Chromium that a spec uses. Where there is none its tests are left out, loudly, and `OFFSHOOT_REQUIRE_CHROMIUM=1` makes
 * that an error. `what` says what was not tested.
 */
export function chromiumForTests(what: string): string | null {
  const found = findChromium();
  if (found !== null) return found;
  if (process.env['OFFSHOOT_REQUIRE_CHROMIUM'] === '1')
    throw new Error(`No Chromium was found, and ${what} is to be tested in one. Set OFFSHOOT_CHROMIUM.`);
  process.stderr.write(`\nNOT RUN: ${what}. Set OFFSHOOT_CHROMIUM.\n\n`);
  return null;
}
