import { z } from 'zod';

const McpTool = z.strictObject({ server: z.string(), tool: z.string() });

/**
 * `POST /v1/policy/evaluate` (spec 05 §1). Lists and names are unknown here: `#policy` judges them as it does at a launch, so that a bad one
 * is answered with the code that the launch would have.
 */
export const EvaluatePolicyRequest = z.strictObject({
  kind: z.enum(['fork', 'subagent']).exactOptional(),
  mode: z.string().exactOptional(),
  fork_tools: z.unknown().exactOptional(),
  fork_profile: z.unknown().exactOptional(),
  sessionId: z.string().exactOptional(),
  tools: z.unknown().exactOptional(),
  surface: z
    .strictObject({ builtin: z.array(z.string()).default([]), mcp: z.array(McpTool).default([]) })
    .exactOptional(),
  agentId: z.string().exactOptional(),
  calls: z.array(z.string()).default([]),
});
export type EvaluatePolicyRequest = z.infer<typeof EvaluatePolicyRequest>;
