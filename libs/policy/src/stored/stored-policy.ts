import type { WireBinding } from './wire-binding.js';

/** Version of the stored shapes of policy and ceiling. */
export const STORED_VERSION = 1;

/** No restriction, written down as such (POL-1). */
export interface UnrestrictedPolicy {
  readonly version: typeof STORED_VERSION;
  readonly kind: 'unrestricted';
}

/** An execution allowlist as stored: entries as written, and what wire names among them were bound to at launch. */
export interface ListPolicy {
  readonly version: typeof STORED_VERSION;
  readonly kind: 'list';
  readonly entries: readonly string[];
  readonly bindings: readonly WireBinding[];
}

/**
 * The policy of an agent at rest (spec 02 §2). Plain JSON: the value itself is what is recorded. Make one with `UNRESTRICTED`,
 * `listPolicy` or `parseStoredPolicy` only.
 */
export type StoredPolicy = UnrestrictedPolicy | ListPolicy;

/** The stored form of "no list was given". */
export const UNRESTRICTED: UnrestrictedPolicy = Object.freeze({
  version: STORED_VERSION,
  kind: 'unrestricted',
});
