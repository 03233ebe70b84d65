/** Folders and files, in lower case and wherever they lie, whose change would change what agents may do (spec 04 §4). */
export const protectedNames: readonly string[] = Object.freeze([
  '.qwen',
  '.offshoot',
  '.git',
  '.mcp.json',
  'qwen.md',
  'agents.md',
  'claude.md',
  'gemini.md',
]);

/**
 * The spelling by which names are compared: file systems there are that take letters of either case, of full width, with invisible characters in
 * between or with dots and blanks behind them for one name.
 */
export function foldName(part: string): string {
  return part
    .normalize('NFKC')
    .replace(/\p{Cf}/gu, '')
    .toLowerCase()
    .replace(/(?<=[^.])[. ]+$/, '');
}

/** True for a path that is or lies under a protected one, at any depth: another session's root may be a folder of this one. */
export function isProtectedPath(path: string): boolean {
  return path.split(/[\\/]/).some((part) => protectedNames.includes(foldName(part)));
}
