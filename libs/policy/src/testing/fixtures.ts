import { parseAllowlist } from '../allowlist/parse-allowlist.js';
import { compileGate, type Gate, type GateInput } from '../gate/compile-gate.js';
import type { Rejection, Result } from '../rejection.js';
import { bindWireNames } from '../stored/bind-wire-names.js';
import { NO_CEILING } from '../stored/ceiling.js';
import { listPolicy } from '../stored/list-policy.js';
import { type StoredPolicy, UNRESTRICTED } from '../stored/stored-policy.js';
import { resolveSurface } from '../surface/resolve-surface.js';
import type { ToolIdentity } from '../tool-identity.js';

/** The value of a result that must be accepted. */
export function valueOf<T>(result: Result<T>): T {
  if (!result.ok) throw new Error(`Refused: ${result.rejection.message}`);
  return result.value;
}

/** The rejection of a result that must be refused. */
export function rejectionOf(result: Result<unknown>): Rejection {
  if (result.ok) throw new Error('Accepted, though a refusal was expected.');
  return result.rejection;
}

/** A stored list, its wire names bound on the given tools; undefined entries are no list. */
export function policyOf(entries: unknown, tools: readonly ToolIdentity[] = []): StoredPolicy {
  if (entries === undefined) return UNRESTRICTED;
  const allowlist = valueOf(parseAllowlist(entries));
  return listPolicy(allowlist, bindWireNames(allowlist, resolveSurface(tools)));
}

/** The gate of a fork without ceiling over the given tools, unless said otherwise. */
export function forkGate(
  tools: readonly ToolIdentity[],
  entries?: unknown,
  other: Partial<GateInput> = {},
): Gate {
  return compileGate({
    kind: 'fork',
    surface: resolveSurface(tools),
    policy: policyOf(entries, tools),
    ceiling: NO_CEILING,
    ...other,
  });
}
