import { parseAllowlist } from '../allowlist/parse-allowlist.js';
import { accepted, PolicyCode, rejected, type Rejected, type Result } from '../rejection.js';
import { described } from '../text/described.js';
import { ownFields } from '../text/own-fields.js';
import { listPolicy } from './list-policy.js';
import { STORED_VERSION, type StoredPolicy, UNRESTRICTED } from './stored-policy.js';
import { isSoundBinding, type WireBinding } from './wire-binding.js';

const LIST_FIELDS = new Set(['version', 'kind', 'entries', 'bindings']);
const UNRESTRICTED_FIELDS = new Set(['version', 'kind']);

/**
 * Reads a policy exactly as stored, or refuses it (POL-6): absent, null, an unknown kind, version or field, a list that no
 * launch would accept, and a binding that no launch can have made. A missing version is version 1, missing bindings are
 * none. It never answers "unrestricted" for anything but the tagged shape that says so.
 */
export function parseStoredPolicy(value: unknown): Result<StoredPolicy> {
  const fields = ownFields(value);
  if (fields === null) return refuse(`it is ${described(value)}, not a tagged policy`);
  if (fields.has('version') && fields.get('version') !== STORED_VERSION) {
    return refuse(`its version is ${described(fields.get('version'))}, not ${STORED_VERSION}`);
  }
  switch (fields.get('kind')) {
    case 'unrestricted':
      return hasOnly(fields, UNRESTRICTED_FIELDS)
        ? accepted(UNRESTRICTED)
        : refuse('it has unknown fields beside its kind');
    case 'list':
      return hasOnly(fields, LIST_FIELDS)
        ? parseList(fields)
        : refuse('it has unknown fields beside its list');
    default:
      return refuse(`its kind is ${described(fields.get('kind'))}, not "unrestricted" or "list"`);
  }
}

function parseList(fields: ReadonlyMap<string, unknown>): Result<StoredPolicy> {
  const allowlist = parseAllowlist(fields.get('entries'));
  if (!allowlist.ok) return refuse(allowlist.rejection.message, allowlist.rejection.offenders);
  const bindings = fields.has('bindings') ? parseBindings(fields.get('bindings')) : [];
  if (bindings === null) return refuse('its wire-name bindings are not readable');
  const texts = new Set(allowlist.value.entries.map((entry) => entry.text));
  const names = new Set(bindings.map((binding) => binding.wireName));
  const isSound =
    names.size === bindings.length &&
    bindings.every((binding) => texts.has(binding.wireName) && isSoundBinding(binding));
  return isSound
    ? accepted(listPolicy(allowlist.value, bindings))
    : refuse('a wire-name binding does not belong to its list');
}

function parseBindings(value: unknown): readonly WireBinding[] | null {
  if (!Array.isArray(value)) return null;
  const bindings: WireBinding[] = [];
  for (const item of Array.from<unknown>(value)) {
    const binding = parseBinding(item);
    if (binding === null) return null;
    bindings.push(binding);
  }
  return bindings;
}

function parseBinding(value: unknown): WireBinding | null {
  const fields = ownFields(value);
  if (fields?.size !== 3) return null;
  const [wireName, server, tool] = [fields.get('wireName'), fields.get('server'), fields.get('tool')];
  if (typeof wireName !== 'string' || typeof server !== 'string' || typeof tool !== 'string') return null;
  return { wireName, server, tool };
}

function hasOnly(fields: ReadonlyMap<string, unknown>, known: ReadonlySet<string>): boolean {
  return [...fields.keys()].every((key) => known.has(key));
}

function refuse(why: string, offenders: readonly string[] = []): Rejected {
  return rejected(PolicyCode.STORED_POLICY_UNREADABLE, `The stored policy cannot be read: ${why}`, {
    offenders,
  });
}
