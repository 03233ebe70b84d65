import { parseAgent, type Agent } from './agent.js';
import { asJson, asList, isJson, number, strings, text, type Json } from './read.js';
import { toolName } from './tool-name.js';

/** What an agent may execute: the tagged policy as stored, or that it could not be read (spec 02 §2). */
export type Policy =
  | { readonly kind: 'unrestricted' }
  | { readonly kind: 'list'; readonly entries: readonly string[] }
  | { readonly kind: 'unreadable' };

/** A tool that is not offered, and why. */
export interface Withheld {
  readonly tool: string;
  readonly reason: string | null;
}

/** One kind of difference between two surfaces, with the names it concerns. */
export interface Drift {
  readonly change: string;
  readonly tools: readonly string[];
}

/** One limit and how much of it is used; `used` null when the page cannot tell. */
export interface Meter {
  readonly name: string;
  readonly used: number | null;
  readonly limit: number | null;
}

export interface Outcome {
  readonly status: string;
  readonly reason: string | null;
  readonly result: string | null;
  readonly isPartial: boolean;
  readonly refusedTools: readonly string[];
}

/** `GET /v1/agents/:id` as the agent's page shows it (spec 05 §9). */
export interface AgentPage {
  readonly agent: Agent;
  readonly runId: string | null;
  readonly depth: number | null;
  readonly policy: Policy;
  readonly ceiling: string | null;
  /** Null when no surface is recorded yet. */
  readonly surface: {
    readonly declared: readonly string[];
    readonly executable: readonly string[];
    readonly withheld: readonly Withheld[];
    readonly drift: readonly Drift[];
  } | null;
  readonly meters: readonly Meter[];
  /** Null when the provider told no counts, which is not the same as none used. */
  readonly tokens: Tokens | null;
  readonly costUsd: number | null;
  readonly outcome: Outcome | null;
  /** Why no run may go on; null while nothing blocks. */
  readonly blocked: { readonly reason: string; readonly detail: string | null } | null;
}

/** Tokens by kind. `input` is what was neither read from nor written to the provider's cache. */
export interface Tokens {
  readonly input: number;
  readonly cached: number;
  readonly cacheWrite: number;
  readonly output: number;
}

/** The part of all prompt tokens that the provider's cache served, between 0 and 1; null before the first prompt. */
export function cachedShare(tokens: Tokens): number | null {
  const prompt = tokens.input + tokens.cached + tokens.cacheWrite;
  return prompt > 0 ? tokens.cached / prompt : null;
}

/** Reads the answer of `GET /v1/agents/:id`; null when it is not an agent. */
export function parseAgentPage(value: unknown): AgentPage | null {
  const agent = parseAgent(value);
  if (agent === null) return null;
  const source = asJson(value);
  const usage = asJson(source['usage']);
  return {
    agent,
    runId: text(asJson(source['run']), 'id'),
    depth: number(source, 'depth'),
    policy: parsePolicy(source['policy']),
    ceiling: parseCeiling(source['ceiling']),
    surface: parseSurface(source['surface']),
    meters: parseMeters(usage, asJson(source['limits'])),
    tokens: parseTokens(usage),
    costUsd: number(usage, 'costUsd'),
    outcome: parseOutcome(source['outcome']),
    blocked: parseBlocked(source['blocked']),
  };
}

function parseTokens(usage: Json): Tokens | null {
  const [input, cached, cacheWrite, output] = [
    number(usage, 'inputTokens'),
    number(usage, 'cachedTokens'),
    number(usage, 'cacheWriteTokens'),
    number(usage, 'outputTokens'),
  ];
  if (input === null || cached === null || cacheWrite === null || output === null) return null;
  return { input, cached, cacheWrite, output };
}

const allOf = ({ input, cached, cacheWrite, output }: Tokens): number => input + cached + cacheWrite + output;

function parsePolicy(value: unknown): Policy {
  const policy = asJson(value);
  if (policy['kind'] === 'unrestricted') return { kind: 'unrestricted' };
  // Only a whole list is a list: an odd one must not be shown as one that denies everything, or less.
  const entries = policy['entries'];
  if (policy['kind'] !== 'list' || !Array.isArray(entries)) return { kind: 'unreadable' };
  const names = strings(entries);
  return names.length === entries.length ? { kind: 'list', entries: names } : { kind: 'unreadable' };
}

function parseCeiling(value: unknown): string | null {
  if (typeof value === 'string') return value === '' ? null : value;
  if (Array.isArray(value)) return strings(value).join(', ') || 'no tool';
  if (!isJson(value)) return null;
  return text(value, 'kind', 'mode', 'name') ?? JSON.stringify(value);
}

function parseSurface(value: unknown): AgentPage['surface'] {
  if (!isJson(value)) return null;
  return {
    declared: toolNames(value['declared']),
    executable: toolNames(value['executable']),
    withheld: asList(value['withheld']).flatMap((member) => {
      const tool = toolName(member);
      return tool === null ? [] : [{ tool, reason: text(asJson(member), 'reason') }];
    }),
    drift: parseDrift(value['drift']),
  };
}

const toolNames = (value: unknown): readonly string[] =>
  asList(value).flatMap((member) => toolName(member) ?? []);

function parseDrift(value: unknown): readonly Drift[] {
  return Object.entries(asJson(value)).flatMap(([change, names]) => {
    const tools = asList(names).flatMap((member) => renaming(member) ?? toolName(member) ?? []);
    return tools.length === 0 || change === 'kept' ? [] : [{ change: spelled(change), tools }];
  });
}

function renaming(value: unknown): string | null {
  const from = text(asJson(value), 'from');
  const to = text(asJson(value), 'to');
  return from === null || to === null ? null : `${from} → ${to}`;
}

const spelled = (key: string): string => key.replaceAll(/([a-z])([A-Z])/g, '$1 $2').toLowerCase();

function parseMeters(usage: Json, limits: Json): readonly Meter[] {
  const tokens = parseTokens(usage);
  return [
    { name: 'Turns', used: number(usage, 'turns'), limit: number(limits, 'maxTurns') },
    { name: 'Tool calls', used: number(usage, 'toolCalls'), limit: number(limits, 'maxToolCalls') },
    { name: 'Tokens', used: tokens === null ? null : allOf(tokens), limit: number(limits, 'maxTokens') },
    { name: 'Cost', used: number(usage, 'costUsd'), limit: number(limits, 'maxCostUsd') },
    { name: 'Seconds', used: number(usage, 'seconds'), limit: number(limits, 'maxSeconds') },
  ].filter((meter) => meter.used !== null || meter.limit !== null);
}

function parseBlocked(value: unknown): AgentPage['blocked'] {
  const reason = text(asJson(value), 'reason');
  return reason === null ? null : { reason, detail: text(asJson(value), 'detail') };
}

function parseOutcome(value: unknown): Outcome | null {
  if (!isJson(value)) return null;
  return {
    status: text(value, 'status') ?? 'ended',
    reason: text(value, 'reason'),
    result: text(value, 'result'),
    isPartial: value['partial'] === true,
    refusedTools: toolNames(value['refusedTools']),
  };
}
