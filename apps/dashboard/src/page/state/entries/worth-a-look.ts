import type { Entry } from './entry.js';

/** What a person should read first: refused calls, calls whose outcome is unknown, and what still waits for an answer. */
export function isWorthALook(entry: Entry): boolean {
  if (entry.family === 'refusal') return true;
  return entry.badge?.tone === 'warn' && (entry.family === 'call' || entry.family === 'approval');
}
