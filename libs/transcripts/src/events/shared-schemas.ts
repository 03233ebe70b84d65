import { z } from 'zod';

/** Small schemas that several events share. */

/**
 * A policy fact that only `#policy` judges. A missing one must not make the transcript unreadable: it is read as null, and
 * the agent is blocked instead of run without it (POL-6).
 */
export const Opaque = z.unknown().default(null);

/** A call inside a turn; `providerId` is unique only within its turn, if at all (spec 03 §1). */
export const CallKey = z.object({
  /** Number of the turn, from 1, over the whole life of the agent. */
  turn: z.int().min(1),
  /** Place of the call in its batch, from 0, in the model's order. */
  index: z.int().min(0),
  providerId: z.string(),
});
export type CallKey = z.infer<typeof CallKey>;

/** A tool as its registry names it: built-in `{name}` or MCP `{server, tool}`. */
export const ToolRef = z.union([
  z.strictObject({ name: z.string() }),
  z.strictObject({ server: z.string(), tool: z.string() }),
]);
export type ToolRef = z.infer<typeof ToolRef>;

/** Tokens and cost of one model request; cache reads and writes are not part of `inputTokens`. */
export const Usage = z.object({
  inputTokens: z.int().min(0),
  cachedTokens: z.int().min(0),
  cacheWriteTokens: z.int().min(0),
  outputTokens: z.int().min(0),
  costUsd: z.number().min(0),
});
export type Usage = z.infer<typeof Usage>;

/** Ceilings on the whole life of an agent; an absent one is the configured maximum. */
export const Limits = z.object({
  maxTurns: z.int().min(1).exactOptional(),
  maxToolCalls: z.int().min(0).exactOptional(),
  maxTokens: z.int().min(1).exactOptional(),
  maxCostUsd: z.number().positive().exactOptional(),
  maxSeconds: z.number().positive().exactOptional(),
});
export type Limits = z.infer<typeof Limits>;

/** What changed since the run before, by wire name (spec 03 §4). Reported only: policy alone decides. */
export const Drift = z.object({
  lost: z.array(z.string()),
  changed: z.array(z.string()),
  granted: z.array(z.string()),
  notGranted: z.array(z.string()),
  renamed: z.array(z.object({ from: z.string(), to: z.string() })),
});
export type Drift = z.infer<typeof Drift>;

/** What a run found: the tools that existed, could run, were withheld, and what changed since the run before. */
export const Surface = z.object({
  digest: z.string(),
  /** Wire names in the order of the request. */
  declared: z.array(z.string()),
  /** One short digest of description and schema per declared tool, in the same order. */
  fingerprints: z.array(z.string()),
  /** The raw identities of the declared MCP tools; every other declared name is a built-in's own. */
  mcp: z.array(z.object({ name: z.string(), server: z.string(), tool: z.string() })),
  executable: z.array(z.string()),
  withheld: z.array(z.object({ name: z.string(), reason: z.string() })),
  drift: z.union([z.null(), Drift]),
});
export type Surface = z.infer<typeof Surface>;

/** How an activation ended, in words and codes the parent can act on (field case L23). */
export const Outcome = z.object({
  status: z.enum(['completed', 'failed', 'cancelled']),
  reason: z.string(),
  result: z.string(),
  /** True when `result` is what there was when the agent was stopped, not an answer. */
  partial: z.boolean(),
  refusedTools: z.array(z.string()),
});
export type Outcome = z.infer<typeof Outcome>;
