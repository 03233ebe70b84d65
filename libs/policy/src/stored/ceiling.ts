import { CLOSED_REGISTRY_NAMES, isClosedRegistryName } from '../toolset/registry-name.js';
import { isRestrictedMode } from '../toolset/workflow-mode.js';
import { STORED_VERSION } from './stored-policy.js';

/** No ceiling: launched in Build mode. */
export interface NoCeiling {
  readonly version: typeof STORED_VERSION;
  readonly kind: 'none';
}

/** Held to built-ins of these registry names, of which only those still in the closed list count. */
export interface ClosedCeiling {
  readonly version: typeof STORED_VERSION;
  readonly kind: 'closed_list';
  readonly names: readonly string[];
}

/** The ceiling that the workflow mode of a launch put on it, as stored; it only shrinks (spec 02 §5). */
export type Ceiling = NoCeiling | ClosedCeiling;

/** The stored form of "no ceiling". */
export const NO_CEILING: NoCeiling = Object.freeze({ version: STORED_VERSION, kind: 'none' });

/**
 * The closed list as a ceiling. The names are stored, not a reference to the list: a tool that enters the list later
 * is not for agents that were launched before.
 */
export const CLOSED_CEILING: ClosedCeiling = Object.freeze({
  version: STORED_VERSION,
  kind: 'closed_list',
  names: CLOSED_REGISTRY_NAMES,
});

/** The ceiling that a mode puts on a launch: none in the exact mode `build`, the closed list in any other. */
export function ceilingOf(mode: string): Ceiling {
  return isRestrictedMode(mode) ? CLOSED_CEILING : NO_CEILING;
}

/** The built-ins that a ceiling lets through, or null when it lets everything through. */
export function ceilingNames(ceiling: Ceiling): ReadonlySet<string> | null {
  switch (ceiling.kind) {
    case 'none':
      return null;
    case 'closed_list':
      return new Set(ceiling.names.filter(isClosedRegistryName));
  }
}

/** The ceiling that both permit; never wider than either. */
export function narrowCeiling(left: Ceiling, right: Ceiling): Ceiling {
  if (left.kind === 'none') return right;
  if (right.kind === 'none') return left;
  const others = new Set(right.names);
  const names = Object.freeze(left.names.filter((name) => others.has(name)));
  return Object.freeze({ version: STORED_VERSION, kind: 'closed_list', names });
}
