import { z } from 'zod';
import { HistoryInput } from '#agents';
import { Declaration, Limits } from '#transcripts';

const Rules = z.strictObject({
  allow: z.array(z.string()).exactOptional(),
  ask: z.array(z.string()).exactOptional(),
  deny: z.array(z.string()).exactOptional(),
});

const McpServer = z.union([
  z.strictObject({
    command: z.string().min(1),
    args: z.array(z.string()).exactOptional(),
    env: z.record(z.string(), z.string()).exactOptional(),
  }),
  z.strictObject({ url: z.url(), headers: z.record(z.string(), z.string()).exactOptional() }),
]);

const modelSpec = z
  .string()
  .regex(
    /^(openai|anthropic|scripted):\S+$/,
    'expected openai:<model>, anthropic:<model> or scripted:<script>',
  );
const approvalMode = z.enum(['plan', 'default', 'auto-edit', 'auto', 'yolo']);
const workflowMode = z.enum(['off', 'discuss', 'plan', 'review', 'design', 'build']);

const runtimeFields = {
  projectRoot: z.string().startsWith('/', 'must be an absolute path'),
  model: modelSpec,
  systemInstruction: z.string().min(1),
  tools: z
    .strictObject({ builtin: z.union([z.literal('all'), z.array(z.string())]).exactOptional() })
    .exactOptional(),
  mcpServers: z.record(z.string(), McpServer).exactOptional(),
  declarations: z.array(Declaration).exactOptional(),
  settings: z.record(z.string(), z.unknown()).exactOptional(),
  approvalMode: approvalMode.exactOptional(),
  workflowMode: workflowMode.exactOptional(),
  safeMode: z.boolean().exactOptional(),
  bareMode: z.boolean().exactOptional(),
  permissions: Rules.exactOptional(),
};

/** `POST /v1/sessions` (spec 05 §9). */
export const OpenSessionRequest = z.strictObject({
  ...runtimeFields,
  title: z.string().max(500).exactOptional(),
  limits: Limits.strict().exactOptional(),
  history: HistoryInput.exactOptional(),
});
export type OpenSessionRequest = z.infer<typeof OpenSessionRequest>;

/** `PATCH /v1/sessions/:id/runtime`: any part of the runtime; what is absent stays. */
export const ChangeRuntimeRequest = z.strictObject(runtimeFields).partial();
export type ChangeRuntimeRequest = z.infer<typeof ChangeRuntimeRequest>;
