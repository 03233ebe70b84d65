import { type Allowlist, printAllowlist } from '../allowlist/parse-allowlist.js';
import { type ListPolicy, STORED_VERSION } from './stored-policy.js';
import type { WireBinding } from './wire-binding.js';

/** The stored form of a list with its wire-name bindings; frozen copies, so that a caller's array stays the caller's. */
export function listPolicy(allowlist: Allowlist, bindings: readonly WireBinding[] = []): ListPolicy {
  return Object.freeze({
    version: STORED_VERSION,
    kind: 'list',
    entries: printAllowlist(allowlist),
    bindings: Object.freeze(
      bindings.map(({ wireName, server, tool }) => Object.freeze({ wireName, server, tool })),
    ),
  });
}
