import type { z } from 'zod';
import type { hook, hookEvents, ruleTarget } from './operator-schema.js';

export type HookEvent = (typeof hookEvents)[number];

/**
 * One hook for one event: either a `command` or the `url` of a service. `matcher` is a regular expression over tool names;
 * absent means every tool.
 */
export type HookConfig = z.infer<typeof hook>;

/** What a rule of the operator names: a tool, as permission rules do, or a tool at one path relative to the project root. */
export type RuleTarget = z.infer<typeof ruleTarget>;

/** US dollars for a million tokens of each kind. */
export interface PriceConfig {
  readonly input: number;
  readonly cached: number;
  readonly cacheWrite: number;
  readonly output: number;
}

/** Maxima of the whole life of any agent: the default of each launch, which can only lower them. */
export interface LimitConfig {
  readonly maxTurns?: number;
  readonly maxToolCalls?: number;
  readonly maxTokens?: number;
  readonly maxCostUsd?: number;
  readonly maxSeconds?: number;
}

/** What a model can take and give, in tokens; each absent where it is not known. */
export interface ModelLimitConfig {
  readonly contextWindow?: number;
  readonly maxOutputTokens?: number;
}

/** An MCP server that the operator vouches for: its URL, or its command with arguments; never the name that a session gives it. */
export interface TrustedServer {
  readonly url?: string;
  readonly command?: string;
  readonly args?: readonly string[];
}

/**
 * What the operator decides for every session, from the file that `OFFSHOOT_CONFIG` names (spec 05 §9). Keyed by model spec
 * (`openai:gpt-5`) where a table is meant; maps, because a model may be called `constructor`.
 */
export interface OperatorConfig {
  readonly hooks: readonly HookConfig[];
  /** The model that judges calls in approval mode `auto`; null asks a person instead. */
  readonly classifier: { readonly model: string; readonly timeoutMs: number } | null;
  readonly prices: ReadonlyMap<string, PriceConfig>;
  readonly limits: LimitConfig;
  readonly permissions: {
    readonly allow: readonly RuleTarget[];
    readonly ask: readonly RuleTarget[];
    readonly deny: readonly RuleTarget[];
  };
  readonly trustedServers: readonly TrustedServer[];
  readonly models: ReadonlyMap<string, ModelLimitConfig>;
  /** Agents at work at once: of one session (null is any number), and by model. */
  readonly concurrency: {
    readonly perSession: number | null;
    readonly perModel: ReadonlyMap<string, number>;
  };
  /** Where projects keep their profiles, relative to the project root; always below a protected folder (spec 02 §4). */
  readonly profileFolder: string;
  /** Milliseconds after which an unanswered approval is denied. */
  readonly approvalExpiryMs: number;
}

/** What holds without a file. */
export const defaultOperatorConfig: OperatorConfig = Object.freeze({
  hooks: [],
  classifier: null,
  prices: new Map(),
  limits: {},
  permissions: { allow: [], ask: [], deny: [] },
  trustedServers: [],
  models: new Map(),
  concurrency: { perSession: null, perModel: new Map() },
  profileFolder: '.qwen/fork-profiles',
  approvalExpiryMs: 7 * 24 * 3_600_000,
});
