import picomatch from 'picomatch';
import {
  compileGate,
  listPolicy,
  NO_CEILING,
  parseAllowlist,
  type Result,
  resolveSurface,
  type ToolIdentity,
  type ToolSurface,
  wireName,
} from '#policy';
import type { Workload } from './workload.js';

/** A way of answering "may this name run?"; the three ways below must agree on every name. */
export interface Matcher {
  readonly name: string;
  permits(wireName: string): boolean;
}

/** The gate, compiled over a surface that is resolved already. */
export function gateMatcher(surface: ToolSurface, entries: readonly string[]): Matcher {
  const policy = listPolicy(valueOf(parseAllowlist([...entries])));
  const gate = compileGate({ kind: 'fork', surface, policy, ceiling: NO_CEILING });
  return { name: 'gate', permits: (name) => gate.decide(name).allowed };
}

/** What is written first: look through the declared tools, then through the list, at every call. */
export function linearMatcher({ tools, entries }: Workload): Matcher {
  const names = tools.map(wireName);
  return {
    name: 'naive linear matcher',
    permits: (name) => names.includes(name) && entries.some((entry) => matches(entry, name)),
  };
}

function matches(entry: string, name: string): boolean {
  if (entry.endsWith('*')) return name.startsWith(entry.slice(0, -1));
  return entry === name || (entry.startsWith('mcp__') && name.startsWith(`${entry}__`));
}

/** The list as globs, compiled once by a library for globs; a whole server is a pattern of its own there. */
export function picomatchMatcher({ tools, entries }: Workload): Matcher {
  const names = new Set(tools.map(wireName));
  const globs = entries.map((entry) => (isWholeServer(entry) ? `${entry}__*` : entry));
  const isListed = picomatch(globs, { dot: true });
  return { name: 'picomatch', permits: (name) => names.has(name) && isListed(name) };
}

const isWholeServer = (entry: string): boolean =>
  entry.startsWith('mcp__') && !entry.slice('mcp__'.length).includes('__');

/** The names that matchers answer differently: a comparison of speed means something only when there are none. */
export function disagreements(matchers: readonly Matcher[], names: readonly string[]): readonly string[] {
  return names.filter((name) => new Set(matchers.map((matcher) => matcher.permits(name))).size > 1);
}

/** The surface of the tools; none of a workload is withheld. */
export function surfaceOf(tools: readonly ToolIdentity[]): ToolSurface {
  const surface = resolveSurface(tools);
  if (surface.withheld.length > 0) throw new Error('The workload has tools that cannot be declared.');
  return surface;
}

function valueOf<T>(result: Result<T>): T {
  if (!result.ok) throw new Error(`The workload is refused: ${result.rejection.message}`);
  return result.value;
}
