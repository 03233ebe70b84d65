import { realpath } from 'node:fs/promises';
import { dirname, join, relative, resolve, sep } from 'node:path';

/** Where a call would write, as far as its approval is concerned. */
export interface CallTarget {
  /** True for an edit whose real path stays inside the project root. */
  readonly insideWorkspace: boolean;
  /** True when it touches a path that always asks (spec 04 §4), or may do so. */
  readonly isProtected: boolean;
}

/** Folders and files, relative to the root and in lower case, whose change would change what agents may do. */
const protectedPaths = [
  '.qwen',
  '.offshoot',
  '.git',
  '.mcp.json',
  'qwen.md',
  'agents.md',
  'claude.md',
  'gemini.md',
];
const edits = new Set(['write_file', 'edit']);
const shell = 'run_shell_command';
/** How a command may spell a protected path: as a word, behind a slash, or after a redirection. */
const mentions = new RegExp(
  `(^|[\\s'"\`=<>|&;(/\\\\])(${protectedPaths.map((path) => path.replaceAll('.', '\\.')).join('|')})($|[\\s'"\`/\\\\;&|)*?])`,
  'i',
);

/**
 * Looks at the target of a validated call. Paths are compared through real paths and without case, so that a link or another
 * spelling does not slip by. A shell command that names a protected path counts as touching it, whatever it does there:
 * reading one costs a question, writing one unseen costs the policy.
 */
export async function inspectTarget(
  tool: { readonly name: string },
  args: unknown,
  projectRoot: string,
): Promise<CallTarget> {
  if (edits.has(tool.name)) return inspectEdit(textMember(args, 'path'), projectRoot);
  const isProtected = tool.name === shell && mentions.test(textMember(args, 'command'));
  return { insideWorkspace: false, isProtected };
}

async function inspectEdit(path: string, projectRoot: string): Promise<CallTarget> {
  const root = await realpath(projectRoot);
  const real = await realTarget(resolve(root, path));
  const inside = real === root || real.startsWith(root + sep);
  const spellings = [relative(root, real), relative(resolve(projectRoot), resolve(projectRoot, path))];
  return { insideWorkspace: inside, isProtected: spellings.some(isProtectedPath) };
}

/** True for a path, relative to the project root, that is or lies under a protected one. */
export function isProtectedPath(path: string): boolean {
  const parts = path.normalize('NFC').toLowerCase().split(sep);
  return protectedPaths.some((name) => parts[0] === name || parts.includes('.git'));
}

/** The real path of a file that may not exist yet: what exists of it is resolved, the rest is as written. */
async function realTarget(path: string): Promise<string> {
  try {
    return await realpath(path);
  } catch {
    const parent = dirname(path);
    return parent === path ? path : join(await realTarget(parent), path.slice(parent.length));
  }
}

function textMember(args: unknown, name: string): string {
  if (typeof args !== 'object' || args === null || !Object.hasOwn(args, name)) return '';
  const value: unknown = Reflect.get(args, name);
  return typeof value === 'string' ? value : '';
}
