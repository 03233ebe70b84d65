import { z } from 'zod';
import { Message } from './message.js';
import { Limits } from './shared-schemas.js';

/** A function declared to the model. `parameters` is JSON schema as text: key order is part of the prompt's bytes. */
export const Declaration = z.strictObject({
  name: z.string(),
  description: z.string(),
  parameters: z.string(),
});
export type Declaration = z.infer<typeof Declaration>;

const Rules = z.strictObject({
  allow: z.array(z.string()).exactOptional(),
  ask: z.array(z.string()).exactOptional(),
  deny: z.array(z.string()).exactOptional(),
});

/** The parent runtime: everything that a next request or a revival takes from the present (spec 03 §1, §4). */
export const Runtime = z.object({
  projectRoot: z.string(),
  /** `openai:<model>`, `anthropic:<model>` or `scripted:<script>`. */
  model: z.string(),
  /** JSON object text of generation settings, spliced into each request as it is. */
  settings: z.string(),
  systemInstruction: z.string(),
  builtinTools: z.union([z.literal('all'), z.array(z.string())]),
  /** JSON text of the MCP server map, with secrets as references. */
  mcpServers: z.string(),
  /** Declarations of an external host, sent verbatim; null for a hosted session. */
  declarations: z.union([z.null(), z.array(Declaration)]),
  approvalMode: z.enum(['plan', 'default', 'auto-edit', 'auto', 'yolo']),
  workflowMode: z.string(),
  safeMode: z.boolean(),
  bareMode: z.boolean(),
  permissions: Rules,
});
export type Runtime = z.infer<typeof Runtime>;

export const sessionEvents = {
  SessionOpened: z.object({
    sessionId: z.string(),
    title: z.string().exactOptional(),
    runtime: Runtime,
    limits: Limits,
  }),
  RuntimeChanged: z.object({ changes: Runtime.partial() }),
  SessionClosed: z.object({}),
  SessionReopened: z.object({}),
  /** User messages that start a turn (`run`), or history taken over from a host. */
  MessageAppended: z.object({
    messageId: z.string(),
    source: z.enum(['user', 'history']),
    run: z.boolean(),
    messages: z.array(Message),
  }),
  LaunchRefused: z.object({
    code: z.string(),
    message: z.string(),
    offenders: z.array(z.string()),
    /** The parameters as received, JSON text, bounded. */
    requested: z.string(),
  }),
};
