import { stat } from 'node:fs/promises';
import { join, relative, resolve, sep } from 'node:path';
import { foldName, isProtectedPath, protectedNames } from '#policy';
import { realTarget } from './real-target.js';
import { type ShellCommand, shellCommands, type ShellWord } from './shell-words.js';
import { choices, isLiteral, isUnknown, namesMatched } from './word-pattern.js';

/** The protected paths that a command names or reaches, and all that it might write without naming them. */
export interface CommandPaths {
  readonly named: readonly string[];
  readonly possible: readonly string[];
}

const mostWords = 400;
const mostDepth = 4;

/** Programs that write nothing that a pattern among their arguments may stand for. */
const readers = new Set(
  'cat head tail wc grep egrep fgrep rg ls file stat cut diff cmp du df echo printf test [ basename dirname realpath readlink which type date sleep for case'.split(
    ' ',
  ),
);
/** Programs that write, move or remove what their arguments say. */
const writers = new Set(
  'rm rmdir mv cp ln tee touch dd truncate install mkdir chmod chown rsync sed perl cd pushd'.split(' '),
);
/** Programs whose source, if it is a folder above everything, takes everything with it. */
const movers = new Set(['mv', 'cp', 'rsync', 'ln']);
const removers = new Set(['rm', 'chmod', 'chown', 'chgrp']);
/** Programs that write the names which they find in an archive or patch, or that run text which nobody has seen. */
const unpackers = new Set('patch unzip cpio 7z bsdtar unrar eval xargs parallel'.split(' '));
const shells = new Set('sh bash zsh dash ksh fish'.split(' '));
const wrappers = new Set(
  'sudo env nohup time command exec builtin nice then do else elif if while until ! {'.split(' '),
);
/** What of git changes neither hooks, nor settings, nor the files of the workspace. */
const harmlessGit = new Set(
  'status diff log show blame grep rev-parse ls-files ls-tree cat-file describe shortlog add commit push fetch branch tag'.split(
    ' ',
  ),
);

/**
 * Looks through a shell command for protected paths (spec 04 §4), as written or spelled by quotes, escapes, patterns, choices, its own variables
 * or links, and for writes of which nobody can say where they go. What a program does once it runs is out of its sight. `guarded` are real paths
 * that are protected besides, wherever they lie.
 */
export async function inspectCommand(
  command: string,
  root: string,
  guarded: readonly string[] = [],
): Promise<CommandPaths> {
  const found = { named: new Set<string>(), possible: new Set<string>() };
  await inspectText(command, { root, guarded, depth: 0, found });
  return { named: [...found.named], possible: [...found.possible] };
}

interface Look {
  readonly root: string;
  readonly guarded: readonly string[];
  readonly depth: number;
  readonly found: { readonly named: Set<string>; readonly possible: Set<string> };
}

async function inspectText(text: string, look: Look): Promise<void> {
  const commands = shellCommands(text);
  const words = commands.flat().map((word) => word.text);
  if (words.length > mostWords || look.depth > mostDepth) {
    everything(look);
    return;
  }
  for (const command of commands) await inspectSimple(command, look);
  await inspectLinks(words.flatMap(candidates).filter(isLiteral), look);
}

function everything({ found }: Look): void {
  for (const name of protectedNames) found.possible.add(name);
}

/** A word, each of its choices, and what stands behind the equals sign of an option. */
function candidates(word: string): readonly string[] {
  return choices(word).flatMap((text) => {
    const value = text.slice(text.lastIndexOf('=') + 1);
    return value === text ? [text] : [text, value];
  });
}

async function inspectSimple(command: ShellCommand, look: Look): Promise<void> {
  const words = command.map((word) => word.text);
  const start = words.findIndex(isProgram);
  const program = (words[start] ?? '').replace(/^.*\//, '');
  const args = words.slice(start + 1);
  for (const word of command) inspectWord(word, program, look);
  if (!readers.has(program) && program !== 'git') await inspectScripts(words, look);
  if (isUnseen(program, args) || (await takesTheRoot(program, args, look))) everything(look);
}

/** Arguments that may be commands themselves. */
async function inspectScripts(words: readonly string[], look: Look): Promise<void> {
  for (const script of words.filter((word) => /[\s'"`;]/.test(word)))
    await inspectText(script, { ...look, depth: look.depth + 1 });
}

const isProgram = (word: string): boolean =>
  !wrappers.has(word) && !/^[A-Za-z_]\w*=/.test(word) && !word.startsWith('-');

function inspectWord({ text, isTarget }: ShellWord, program: string, look: Look): void {
  const paths = candidates(text);
  for (const path of paths) nameWord(path, isTarget || !readers.has(program), look);
  if ((isTarget || writers.has(program)) && paths.some(isUnknown)) everything(look);
}

function nameWord(path: string, mayWrite: boolean, { found }: Look): void {
  if (!mayWrite && !isLiteral(path)) return;
  for (const name of namesMatched(path)) found.named.add(name);
}

function isUnseen(program: string, args: readonly string[]): boolean {
  if (unpackers.has(program)) return true;
  if (program === 'tar') return args.some(extracts);
  if (shells.has(program)) return args.every((arg) => arg.startsWith('-')) || args.includes('-s');
  if (program === 'find')
    return args.some((arg) => /^-(delete|exec|execdir|ok|okdir|fprint|fls)/.test(arg)) && !onlyReads(args);
  return program === 'git' && !isHarmlessGit(args);
}

const extracts = (arg: string, index: number): boolean =>
  /^-[a-z]*x|^--(extract|get)/i.test(arg) || (index === 0 && /^[a-z]*x[a-z]*$/i.test(arg));

/** `find … -exec` of a program that reads. */
function onlyReads(args: readonly string[]): boolean {
  return args.every((arg, index) =>
    /^-(exec|execdir)$/.test(arg)
      ? readers.has(args[index + 1] ?? '')
      : !/^-(delete|ok|okdir|fprint|fls)/.test(arg),
  );
}

function isHarmlessGit(args: readonly string[]): boolean {
  const at = args.findIndex((arg, index) => !arg.startsWith('-') && args[index - 1] !== '-C');
  const isPlain = args
    .slice(0, Math.max(at, 0))
    .every((arg) => arg === '-C' || !/^-(c|-)/.test(arg) || arg === '--no-pager');
  return (
    isPlain && (at < 0 || harmlessGit.has(args[at] ?? '')) && !args.some((arg) => arg.startsWith('--output'))
  );
}

/** True when a folder that holds protected paths is moved, copied or removed as a whole. */
async function takesTheRoot(program: string, args: readonly string[], look: Look): Promise<boolean> {
  if (!movers.has(program) && !removers.has(program)) return false;
  const plain = args.flatMap(choices).filter((arg) => !arg.startsWith('-'));
  const hasTarget = args.some((arg) => arg.startsWith('-t') || arg.startsWith('--target'));
  const sources = movers.has(program) && !hasTarget ? plain.slice(0, -1) : plain;
  for (const source of sources) if (await holdsProtected(source, look)) return true;
  return false;
}

async function holdsProtected(source: string, { root, guarded }: Look): Promise<boolean> {
  const real = await realTarget(resolve(root, source));
  const inside = real.endsWith(sep) ? real : real + sep;
  if ([root, ...guarded].some((path) => path === real || path.startsWith(inside))) return true;
  for (const name of protectedNames)
    if (
      await stat(join(real, name)).then(
        () => true,
        () => false,
      )
    )
      return true;
  return false;
}

/** Words that lead through a link into a protected path, from the root or from a folder that the command names. */
async function inspectLinks(words: readonly string[], { root, guarded, found }: Look): Promise<void> {
  const paths = [...new Set(words)].filter((word) => !word.includes('\0') && word.length < 1_024);
  const folders = [root];
  for (const path of paths) {
    const real = await realTarget(resolve(root, path));
    if (
      await stat(real).then(
        (entry) => entry.isDirectory(),
        () => false,
      )
    )
      folders.push(real);
  }
  const bases = [...new Set(folders)].slice(0, 16);
  for (const base of bases)
    for (const path of paths) {
      const real = await realTarget(resolve(base, path));
      const inside = relative(root, real);
      if (guarded.includes(real)) found.named.add(inside);
      if (isProtectedPath(inside)) found.named.add(protectedPart(inside));
    }
}

const protectedPart = (path: string): string =>
  path
    .split(sep)
    .map(foldName)
    .find((part) => protectedNames.includes(part)) ?? path;
