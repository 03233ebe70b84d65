import { rawForm, type ToolIdentity, wireName } from '#policy';
import type { Runtime } from '#transcripts';

/** A rule of the operator: a tool as rules name it, or what it does at and under one path relative to the project root. */
export interface OperatorRule {
  readonly tool: string;
  readonly path?: string;
}

/** The operator's rules, from the configuration. They hold for every session, beside the session's own. */
export interface OperatorRules {
  readonly allow: readonly OperatorRule[];
  readonly ask: readonly OperatorRule[];
  readonly deny: readonly OperatorRule[];
}

export const noOperatorRules: OperatorRules = Object.freeze({ allow: [], ask: [], deny: [] });

type Verdict = keyof OperatorRules;

/** The rules of one verdict, the operator's first. */
export function rulesOf(
  verdict: Verdict,
  session: Runtime['permissions'],
  operator: OperatorRules,
): readonly OperatorRule[] {
  return [...operator[verdict], ...(session[verdict] ?? []).map((tool) => ({ tool }))];
}

/** How a rule reads where a decision names it. */
export const ruleText = ({ tool, path }: OperatorRule): string =>
  path === undefined ? tool : `${tool}(${path})`;

/** What a call does, as far as rules can see: its tool, and the paths that it touches, relative to the project root. */
export interface RuledCall {
  readonly identity: ToolIdentity;
  readonly paths: readonly string[];
  /** The text of a shell command, whose paths nobody can know for sure; empty for other tools. */
  readonly command: string;
}

/**
 * Deny and ask match wide: any name that the tool goes by in any case, its whole server, every MCP tool, a prefix; of several
 * paths any one, and in a command their mere mention. What stands in brackets behind a name narrows nothing here.
 */
export function matchesWide({ tool, path }: OperatorRule, call: RuledCall): boolean {
  if (!namesWide(fold(tool).replace(/\(.*\)$/s, ''), call.identity)) return false;
  if (path === undefined || fold(call.command).includes(fold(path))) return true;
  return call.paths.some((touched) => isUnder(fold(touched), fold(path)));
}

/** Allow matches exact: the registry name or raw form to the letter, and every path that the call touches. */
export function matchesExact({ tool, path }: OperatorRule, { identity, paths }: RuledCall): boolean {
  if (tool !== rawForm(identity)) return false;
  return path === undefined || (paths.length > 0 && paths.every((touched) => isUnder(touched, path)));
}

function namesWide(rule: string, identity: ToolIdentity): boolean {
  const names = [rawForm(identity), wireName(identity)].map(fold);
  if (names.includes(rule) || rule === '*') return true;
  if (rule.endsWith('*')) return names.some((name) => name.startsWith(rule.slice(0, -1)));
  return 'server' in identity && rule === fold(`mcp__${identity.server}`);
}

/** True for the path itself and for everything below it. */
export function isUnder(path: string, folder: string): boolean {
  const root = folder.replace(/\/+$/, '');
  return path === root || path.startsWith(`${root}/`);
}

const fold = (text: string): string => text.normalize('NFC').trim().toLowerCase();
