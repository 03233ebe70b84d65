import { accepted, PolicyCode, rejected, type Rejected, type Result } from '../rejection.js';
import { described } from '../text/described.js';
import { cut } from '../text/quoted.js';
import { type AllowlistEntry, MAX_ENTRY_LENGTH, parseAllowlistEntry } from './allowlist-entry.js';

/** Most entries in one list. */
export const MAX_ENTRIES = 1000;

const MAX_NAMED = 100;
const ACCEPTED_FORMS =
  'Accepted are exact tool names, "mcp__<server>", "mcp__<server>__<tool>", "mcp__<server>__<prefix>*" and "mcp__*", each at ' +
  `most ${MAX_ENTRY_LENGTH} characters, at most ${MAX_ENTRIES} of them.`;

/** A frozen execution allowlist, entries in the order given, repeats kept. Empty means deny all (POL-2). */
export interface Allowlist {
  readonly entries: readonly AllowlistEntry[];
}

/**
 * Reads an execution allowlist (spec 02 §2). One bad entry refuses the whole list, and the rejection names every bad
 * one: a list is never repaired, because a repaired list may be a wider list. Copies what it accepts.
 */
export function parseAllowlist(value: unknown): Result<Allowlist> {
  if (!Array.isArray(value))
    return refuse(`A tool list must be a list of strings, not ${described(value)}.`, []);
  if (value.length > MAX_ENTRIES) return refuse(`The tool list has ${value.length} entries.`, []);
  const entries: AllowlistEntry[] = [];
  const offenders: string[] = [];
  const faults: string[] = [];
  // Array.from visits holes too: a hole is an entry that is not a string.
  for (const item of Array.from<unknown>(value)) {
    const parsed = parseAllowlistEntry(item);
    if (parsed.ok) {
      entries.push(parsed.entry);
    } else {
      offenders.push(typeof item === 'string' ? cut(item, MAX_ENTRY_LENGTH) : described(item));
      faults.push(`${described(item)} ${parsed.fault}`);
    }
  }
  if (faults.length > 0) return refuse(`${sentence(faults)}.`, offenders);
  return accepted(Object.freeze({ entries: Object.freeze(entries) }));
}

/** The entries as written; `parseAllowlist` reads them back to an equal list. */
export function printAllowlist(allowlist: Allowlist): readonly string[] {
  return Object.freeze(allowlist.entries.map((entry) => entry.text));
}

function refuse(what: string, offenders: readonly string[]): Rejected {
  return rejected(PolicyCode.ALLOWLIST_INVALID, `${what} ${ACCEPTED_FORMS}`, {
    offenders: [...new Set(offenders)],
    reason: 'entries',
  });
}

function sentence(faults: readonly string[]): string {
  const named = [...new Set(faults)];
  const rest = named.length - MAX_NAMED;
  const shown = named.slice(0, MAX_NAMED).join('; ');
  return rest > 0 ? `${shown}; and ${rest} more` : shown;
}
