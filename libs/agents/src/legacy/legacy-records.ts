import { z } from 'zod';

/** The parts of a legacy sidecar that an import needs; its policy is read by `#policy` from the file as it is. */
export const LegacyMeta = z.looseObject({
  agentId: z.string().min(1),
  agentType: z.string(),
  description: z.string().default(''),
  parentSessionId: z.string(),
  createdAt: z.iso.datetime({ offset: true }).exactOptional(),
  status: z.enum(['running', 'completed', 'failed', 'cancelled', 'paused']).default('running'),
  model: z.string().exactOptional(),
  resolvedApprovalMode: z.string().exactOptional(),
  lastError: z.string().exactOptional(),
});
export type LegacyMeta = z.infer<typeof LegacyMeta>;

const Part = z.looseObject({
  text: z.string().exactOptional(),
  thought: z.boolean().exactOptional(),
  functionCall: z
    .looseObject({ id: z.string().exactOptional(), name: z.string(), args: z.unknown().exactOptional() })
    .exactOptional(),
  functionResponse: z
    .looseObject({ id: z.string().exactOptional(), name: z.string(), response: z.unknown().exactOptional() })
    .exactOptional(),
});
export type LegacyPart = z.infer<typeof Part>;

/** A message as the legacy transcript holds it: `model` speaks, `user` asks and answers calls. */
export const LegacyContent = z.looseObject({ role: z.enum(['user', 'model']), parts: z.array(Part) });
export type LegacyContent = z.infer<typeof LegacyContent>;

/** One line of a legacy transcript. `parentUuid` links it to the line that it follows. */
export const LegacyRecord = z.looseObject({
  uuid: z.string().exactOptional(),
  parentUuid: z.union([z.null(), z.string()]).exactOptional(),
  timestamp: z.string().exactOptional(),
  type: z.enum(['user', 'assistant', 'tool_result', 'system']),
  subtype: z.string().exactOptional(),
  cwd: z.string().exactOptional(),
  message: LegacyContent.exactOptional(),
  systemPayload: z.unknown().exactOptional(),
});
export type LegacyRecord = z.infer<typeof LegacyRecord>;

/** What a fork inherited, in full: the payload of the `agent_bootstrap` record. */
export const LegacyBootstrap = z.looseObject({
  kind: z.literal('fork'),
  history: z.array(LegacyContent),
  systemInstruction: z.union([z.string(), z.looseObject({ parts: z.array(Part) })]).exactOptional(),
});
export type LegacyBootstrap = z.infer<typeof LegacyBootstrap>;

/** The payload of the `agent_launch_prompt` record. */
export const LegacyLaunchPrompt = z.looseObject({ displayText: z.string() });
