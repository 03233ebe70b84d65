import { quoted } from './quoted.js';

const ORDINARY = /^[A-Za-z0-9_.*-]{1,64}$/;

/** A tool name or entry for a text that a model reads: ordinary names as they are, any other quoted and cut. */
export function shownName(name: string): string {
  return ORDINARY.test(name) ? name : quoted(name, 64);
}

/**
 * Names separated by commas: at most `most` of them and `limit` code units in all, the rest counted. Empty when not even
 * one name fits.
 */
export function nameList(names: readonly string[], most: number, limit: number): string {
  for (let count = Math.min(most, names.length); count > 0; count -= 1) {
    const text = withRest(names.slice(0, count).map(shownName).join(', '), names.length - count);
    if (text.length <= limit) return text;
  }
  return '';
}

function withRest(shown: string, rest: number): string {
  return rest === 0 ? shown : `${shown} and ${rest} more`;
}
