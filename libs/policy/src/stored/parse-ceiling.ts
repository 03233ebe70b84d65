import { accepted, PolicyCode, rejected, type Rejected, type Result } from '../rejection.js';
import { described } from '../text/described.js';
import { ownFields } from '../text/own-fields.js';
import { type Ceiling, NO_CEILING } from './ceiling.js';
import { STORED_VERSION } from './stored-policy.js';

const FIELDS_OF = new Map([
  ['none', new Set(['version', 'kind'])],
  ['closed_list', new Set(['version', 'kind', 'names'])],
]);

/**
 * Reads a ceiling exactly as stored, or refuses it (POL-6). Absent, null and odd shapes are refused, never read as "none"; a
 * missing version is version 1.
 */
export function parseCeiling(value: unknown): Result<Ceiling> {
  const fields = ownFields(value);
  if (fields === null) return refuse(`it is ${described(value)}, not a tagged ceiling`);
  const version = fields.has('version') ? fields.get('version') : STORED_VERSION;
  if (version !== STORED_VERSION)
    return refuse(`its version is ${described(version)}, not ${STORED_VERSION}`);
  const kind = fields.get('kind');
  const known = typeof kind === 'string' ? FIELDS_OF.get(kind) : undefined;
  if (known === undefined) return refuse(`its kind is ${described(kind)}, not "none" or "closed_list"`);
  if (![...fields.keys()].every((key) => known.has(key))) return refuse('it has unknown fields');
  return kind === 'none' ? accepted(NO_CEILING) : parseNames(fields.get('names'));
}

function parseNames(value: unknown): Result<Ceiling> {
  if (!Array.isArray(value)) return refuse('it has no list of names');
  const names: string[] = [];
  for (const name of Array.from<unknown>(value)) {
    if (typeof name !== 'string') return refuse('one of its names is not a string');
    names.push(name);
  }
  return accepted(
    Object.freeze({ version: STORED_VERSION, kind: 'closed_list', names: Object.freeze(names) }),
  );
}

function refuse(why: string): Rejected {
  return rejected(PolicyCode.STORED_CEILING_UNREADABLE, `The stored ceiling cannot be read: ${why}.`);
}
