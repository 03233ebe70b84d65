import { parseAllowlist } from '../allowlist/parse-allowlist.js';
import { accepted, PolicyCode, rejected, type Rejected, type Result } from '../rejection.js';
import { described } from '../text/described.js';
import { ownFields } from '../text/own-fields.js';
import { listPolicy } from './list-policy.js';
import { type StoredPolicy, UNRESTRICTED } from './stored-policy.js';

/** A policy read from a legacy sidecar; `isAssumed` says that it was unrestricted by a missing field, and is to be recorded. */
export interface LegacyPolicy {
  readonly policy: StoredPolicy;
  readonly isAssumed: boolean;
}

const FIELD = 'executionAllowedTools';

/**
 * Reads the policy of a legacy sidecar: the one place where a missing field means unrestricted (spec 02 §2). A field that is there
 * must be a list that a launch would accept; null is not missing.
 */
export function importLegacyPolicy(sidecar: unknown): Result<LegacyPolicy> {
  const fields = ownFields(sidecar);
  if (fields === null) return refuse(`it is ${described(sidecar)}, not an object`);
  if (!fields.has(FIELD)) return accepted({ policy: UNRESTRICTED, isAssumed: true });
  const allowlist = parseAllowlist(fields.get(FIELD));
  if (!allowlist.ok) return refuse(allowlist.rejection.message, allowlist.rejection.offenders);
  return accepted({ policy: listPolicy(allowlist.value), isAssumed: false });
}

function refuse(why: string, offenders: readonly string[] = []): Rejected {
  return rejected(PolicyCode.LEGACY_POLICY_UNREADABLE, `The legacy sidecar cannot be read: ${why}`, {
    offenders,
  });
}
