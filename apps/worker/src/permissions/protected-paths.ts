import { realpath } from 'node:fs/promises';
import { relative, resolve, sep } from 'node:path';
import { isProtectedPath, protectedNames } from '#policy';
import { inspectCommand } from './inspect-command.js';
import { realTarget } from './real-target.js';

/** What a call would touch, as far as permissions are concerned. */
export interface CallTarget {
  /** True for an edit whose real path stays inside the folder that the agent works in. */
  readonly insideWorkspace: boolean;
  /** Paths relative to the project root, in every spelling that is known of them. */
  readonly paths: readonly string[];
  /** Those of them that always ask (spec 04 §4). */
  readonly protectedPaths: readonly string[];
  /** The text of a shell command; empty for other tools. */
  readonly command: string;
}

const edits = new Set(['write_file', 'edit']);
const shell = 'run_shell_command';
/** How a command may spell a protected path: as a word, behind a slash, or after a redirection. */
const mentions = new RegExp(
  `(?<=^|[\\s'"\`=<>|&;(/\\\\])(${protectedNames.map((name) => name.replaceAll('.', '\\.')).join('|')})(?=$|[\\s'"\`/\\\\;&|)*?])`,
  'gi',
);
const nothing: CallTarget = Object.freeze({
  insideWorkspace: false,
  paths: [],
  protectedPaths: [],
  command: '',
});

/** Where a call acts: its relative paths start in `folder`, which is the project root or lies inside it; rules speak of the project root. */
export interface CallPlace {
  readonly projectRoot: string;
  readonly folder: string;
  /** Real paths of files that are protected besides: those of the operator. */
  readonly guarded: readonly string[];
}

/** The side of a tool that a target depends on. */
export interface TargetedTool {
  /** The registry name of a built-in; null for a tool of a server. */
  readonly builtIn: string | null;
  readonly readOnly: boolean;
}

/**
 * Looks at the target of a validated call. Paths are compared through real paths and without case, so that a link or another
 * spelling does not slip by. A shell command that names a protected path counts as touching it, whatever it does there:
 * reading one costs a question, writing one unseen costs the policy; `inspectCommand` looks behind other spellings. So does a side-effecting call of a server's tool.
 */
export async function inspectTarget(
  tool: TargetedTool,
  args: unknown,
  place: CallPlace,
): Promise<CallTarget> {
  if (tool.builtIn === null) return tool.readOnly ? nothing : touching(pathsIn(args).filter(isProtectedPath));
  if (edits.has(tool.builtIn)) return inspectEdit(textMember(args, 'path'), place);
  if (tool.builtIn !== shell) return nothing;
  return inspectShell(textMember(args, 'command'), place);
}

async function inspectShell(command: string, { folder, guarded }: CallPlace): Promise<CallTarget> {
  const { named, possible } = await inspectCommand(command, await realpath(folder), guarded);
  const mentioned = [...command.matchAll(mentions)].map(([name]) => name.toLowerCase());
  const paths = [...new Set([...mentioned, ...named])];
  return { ...touching(paths, command), protectedPaths: [...new Set([...paths, ...possible])] };
}

const touching = (paths: readonly string[], command = ''): CallTarget => ({
  insideWorkspace: false,
  paths,
  protectedPaths: paths,
  command,
});

async function inspectEdit(path: string, place: CallPlace): Promise<CallTarget> {
  const { projectRoot, folder, guarded } = place;
  const [root, workspace] = await Promise.all([realpath(projectRoot), realpath(folder)]);
  const real = await realTarget(resolve(workspace, path));
  const written = relative(resolve(projectRoot), resolve(folder, path));
  const paths = [...new Set([relative(root, real), written])];
  return {
    insideWorkspace: real === workspace || real.startsWith(workspace + sep),
    paths,
    protectedPaths: guarded.includes(real) ? paths : paths.filter(isProtectedPath),
    command: '',
  };
}

/** Every text in the arguments, however deep: a server's tool names its paths as it likes. Walks with a stack of its own. */
function pathsIn(args: unknown): readonly string[] {
  const found: string[] = [];
  const open: unknown[] = [args];
  while (open.length > 0) {
    const node = open.pop();
    if (typeof node === 'string') found.push(node);
    else if (typeof node === 'object' && node !== null) for (const child of valuesOf(node)) open.push(child);
  }
  return found;
}

const valuesOf = (node: object): readonly unknown[] => Object.values(node);

function textMember(args: unknown, name: string): string {
  if (typeof args !== 'object' || args === null || !Object.hasOwn(args, name)) return '';
  const value: unknown = Reflect.get(args, name);
  return typeof value === 'string' ? value : '';
}
