import { z } from 'zod';
import { CallKey, Limits, Opaque } from './shared-schemas.js';

/**
 * The launch facts (spec 03 §1): `AgentLaunched`, `BootstrapRecorded` and `LaunchPromptRecorded` are one append
 * that expects no stream. Policy and ceiling are kept as they were stored and are judged by `#policy` alone.
 */
export const launchEvents = {
  AgentLaunched: z.object({
    agentId: z.string(),
    kind: z.enum(['fork', 'subagent']),
    sessionId: z.string(),
    parentId: z.string(),
    depth: z.int().min(1),
    description: z.string(),
    /** The call of the parent that asked, when a call did. */
    call: z.union([z.null(), CallKey]),
    /** The host's own id of the call (HTTP). */
    toolCallId: z.string().exactOptional(),
    /** What was asked for: JSON text of the list, or null when none was. */
    requestedTools: z.union([z.null(), z.string()]),
    /** The stored policy, tagged; opaque here. A missing one is read as null, which no reader takes for a policy. */
    policy: Opaque,
    policyDigest: z.string(),
    mode: z.string(),
    /** The stored mode ceiling, tagged; opaque here. */
    ceiling: Opaque,
    /** Bounds of the launching agents, outermost first. */
    ancestors: z.array(z.object({ agentId: z.string(), policy: Opaque, ceiling: Opaque })),
    profile: z.union([z.null(), z.object({ name: z.string(), contentHash: z.string() })]),
    definition: z.union([
      z.null(),
      z.object({
        name: z.string(),
        tier: z.enum(['bundled', 'user', 'project']),
        contentHash: z.string(),
        systemPrompt: z.string(),
        tools: z.array(z.string()),
        agents: z.array(z.string()),
      }),
    ]),
    limits: Limits,
    onApproval: z.enum(['park', 'deny']),
    background: z.boolean(),
    forkTurns: z.union([z.literal('all'), z.int().min(1)]),
    /** The model at launch. A run uses the session's current one, unless `modelIsOwn` says that the call or its definition named this one. */
    model: z.string(),
    modelIsOwn: z.boolean().exactOptional(),
    workingDir: z.union([z.null(), z.string()]),
  }),
  /** A pointer into the parent's immutable stream: constant size, however long the history. Explicit when empty. */
  BootstrapRecorded: z.object({
    parent: z.union([z.null(), z.object({ agentId: z.string(), version: z.int().min(1) })]),
    /** Hash of the parent's event at that version: the history cannot change under the fork. */
    digest: z.union([z.null(), z.string()]),
    /** Present when the parent stood inside a batch: the turn whose calls are emptied and answered with a placeholder. */
    openTurn: z.union([z.null(), z.int().min(1)]),
  }),
  LaunchPromptRecorded: z.object({
    /** The last user message exactly as sent. */
    text: z.string(),
    directive: z.string(),
    guidance: z.union([z.null(), z.string()]),
    restriction: z.union([z.null(), z.string()]),
  }),
};
