import { quoted } from './quoted.js';

/** Names a value of unknown shape in a message without walking into it: nested input must not reach the stack. */
export function described(value: unknown): string {
  if (typeof value === 'string') return quoted(value);
  if (value === undefined) return 'nothing';
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'object') return 'an object';
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  return `a ${typeof value}`;
}
