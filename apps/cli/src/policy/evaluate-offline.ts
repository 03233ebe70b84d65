import { evaluatePolicy } from '#agents';
import {
  type Allowlist,
  BUILT_IN_NAMES,
  parseAllowlist,
  resolveSurface,
  type Result,
  type StoredPolicy,
} from '#policy';
import type { EvaluationAnswer } from './policy-answers.js';
import type { GivenList } from './read-tool-list.js';
import { UsageError } from './usage-error.js';

/** A question that needs no server. `calls` absent asks about every declared tool. */
export interface OfflineQuestion {
  readonly kind: 'fork' | 'subagent';
  readonly mode: string;
  readonly list: GivenList;
  readonly builtin?: readonly string[];
  readonly mcp?: readonly string[];
  readonly calls?: readonly string[];
}

/** Judges a list with the functions of a launch. Pure; a bad list is a rejection, a question that says nothing throws `UsageError`. */
export function evaluateOffline(question: OfflineQuestion): Result<EvaluationAnswer> {
  const { kind, mode, builtin = BUILT_IN_NAMES, mcp = [] } = question;
  const surface = resolveSurface([...builtin.map((name) => ({ name })), ...mcp.map(mcpTool)]);
  const asked = { mode, surface, calls: question.calls ?? [...surface.declared.keys()] };
  if (kind === 'subagent') return answered(evaluatePolicy({ kind, ...asked, tools: toolsOf(question.list) }));
  const forkTools = allowlistOf(question.list);
  if (!forkTools.ok) return forkTools;
  const { value } = forkTools;
  return answered(evaluatePolicy({ kind, ...asked, ...(value === null ? {} : { forkTools: value }) }));
}

function allowlistOf(given: GivenList): Result<Allowlist | null> {
  return given.given ? parseAllowlist(given.list) : { ok: true, value: null };
}

function toolsOf(given: GivenList): readonly string[] {
  const list: readonly unknown[] = given.given && Array.isArray(given.list) ? given.list : [];
  const names = list.filter((name) => typeof name === 'string');
  if (names.length > 0 && names.length === list.length) return names;
  throw new UsageError(
    'A definition must name its tools: give --tools or --tools-file with one or more names.',
  );
}

/** `server/tool`; a server's name has no slash that a tool's could not have too, so the first one parts them. */
function mcpTool(text: string): { server: string; tool: string } {
  const slash = text.indexOf('/');
  if (slash > 0 && slash < text.length - 1)
    return { server: text.slice(0, slash), tool: text.slice(slash + 1) };
  throw new UsageError(`"${text}" is no MCP tool; write <server>/<tool>.`);
}

function answered(result: ReturnType<typeof evaluatePolicy>): Result<EvaluationAnswer> {
  if (!result.ok) return result;
  const { policy, surface, verdicts } = result.value;
  return {
    ok: true,
    value: {
      policy: policyAnswer(policy),
      surface: [...surface.declared].map(([wireName, identity]) => ({ wireName, identity })),
      withheld: surface.withheld,
      decisions: verdicts,
    },
  };
}

/** As the API shows it: bindings only where there are any. */
function policyAnswer(policy: StoredPolicy): EvaluationAnswer['policy'] {
  switch (policy.kind) {
    case 'unrestricted':
      return { kind: 'unrestricted' };
    case 'list': {
      const { entries, bindings } = policy;
      return { kind: 'list', entries, ...(bindings.length === 0 ? {} : { bindings }) };
    }
  }
}
