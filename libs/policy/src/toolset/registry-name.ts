import { CLOSED_LIST } from './read-only-tools.js';

/** The closed spelling table: definition spelling to registry name. */
export const REGISTRY_NAMES: ReadonlyMap<string, string> = new Map([
  ['read', 'read_file'],
  ['grep', 'grep_search'],
  ['find', 'glob'],
  ['ls', 'list_directory'],
  ['bash', 'run_shell_command'],
  ['write', 'write_file'],
  ['edit', 'edit'],
  ['subagent', 'agent'],
]);

/** The closed list by registry name, in its own order. */
export const CLOSED_REGISTRY_NAMES: readonly string[] = Object.freeze(CLOSED_LIST.map(registryName));

const closed: ReadonlySet<string> = new Set(CLOSED_REGISTRY_NAMES);

/** The registry name that a tool name of a definition stands for: trimmed, ASCII lower case, then the spelling table. */
export function registryName(written: string): string {
  const folded = foldToolName(written);
  return REGISTRY_NAMES.get(folded) ?? folded;
}

/** True when the registry name is in the closed list; exact, without folding. */
export function isClosedRegistryName(name: string): boolean {
  return closed.has(name);
}

/**
 * Trims and lower-cases ASCII letters only: full lower-casing would turn the Kelvin sign into `k`, and so a foreign name into
 * a listed one.
 */
export function foldToolName(written: string): string {
  return written.trim().replace(/[A-Z]/g, (letter) => letter.toLowerCase());
}
