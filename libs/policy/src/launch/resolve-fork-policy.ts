import type { Allowlist } from '../allowlist/parse-allowlist.js';
import type { Profile } from '../profiles/parse-profile.js';
import { accepted, type Result } from '../rejection.js';
import { bindWireNames } from '../stored/bind-wire-names.js';
import { type Ceiling, ceilingOf } from '../stored/ceiling.js';
import { listPolicy } from '../stored/list-policy.js';
import { type StoredPolicy, UNRESTRICTED } from '../stored/stored-policy.js';
import type { ToolSurface } from '../surface/resolve-surface.js';
import { modeRejection } from '../toolset/mode-rejection.js';
import { isClosedRegistryName, registryName } from '../toolset/registry-name.js';
import { isRestrictedMode } from '../toolset/workflow-mode.js';

/** Where a list came from: kept for people, never read again by a run (spec 02 §4). */
export interface ProfileProvenance {
  readonly profile: string;
  readonly contentHash: string;
}

/** Everything about a fork launch that its policy depends on; the list is parsed, the profile read, at most one of both given. */
export interface ForkPolicyInput {
  readonly mode: string;
  readonly forkTools?: Allowlist;
  readonly profile?: Profile;
  readonly surface?: ToolSurface;
}

/** What a fork is launched with and stores. */
export interface ForkPolicy {
  readonly policy: StoredPolicy;
  readonly ceiling: Ceiling;
  readonly provenance?: ProfileProvenance;
}

/**
 * Resolves the policy that a fork launches with (spec 02 §5). No list stays no restriction, told as such; outside Build mode an explicit
 * list must lie in the closed list, and the closed list is the ceiling in any case. Entries are judged before, by the
 * parser of the list. A profile gives exactly what its list given inline would give (POL-9). Throws when both are given, which
 * `parseAgentCall` refuses.
 */
export function resolveForkPolicy(input: ForkPolicyInput): Result<ForkPolicy> {
  const ceiling = ceilingOf(input.mode);
  const allowlist = listOf(input);
  if (allowlist === undefined) return accepted(Object.freeze({ policy: UNRESTRICTED, ceiling }));
  const offenders = isRestrictedMode(input.mode) ? outsideClosedList(allowlist) : [];
  if (offenders.length > 0) return modeRejection(input.mode, offenders);
  const policy = listPolicy(allowlist, bindWireNames(allowlist, input.surface ?? null));
  return accepted(Object.freeze({ policy, ceiling, ...provenanceOf(input.profile) }));
}

function listOf({ profile, forkTools }: ForkPolicyInput): Allowlist | undefined {
  if (profile !== undefined && forkTools !== undefined) {
    throw new TypeError(
      'A fork has a list or a profile, never both: the call must be judged before its policy.',
    );
  }
  return profile?.tools ?? forkTools;
}

function outsideClosedList(allowlist: Allowlist): readonly string[] {
  return allowlist.entries
    .filter((entry) => !isClosedRegistryName(registryName(entry.text)))
    .map((entry) => entry.text);
}

function provenanceOf(profile: Profile | undefined): { provenance?: ProfileProvenance } {
  if (profile === undefined) return {};
  return { provenance: Object.freeze({ profile: profile.name, contentHash: profile.contentHash }) };
}
