import { createHash } from 'node:crypto';
import type { ToolIdentity } from '#policy';

/** One tool of the registry as it is right now: what the model is shown, and what the pipeline must know of it. */
export interface LiveTool {
  readonly identity: ToolIdentity;
  readonly description: string;
  /** JSON schema as text; the same bytes in every request. */
  readonly parameters: string;
  readonly readOnly: boolean;
  /** May be started again when nobody knows whether it ran. Read-only tools are. */
  readonly idempotent: boolean;
  /** False for a tool that only the host of the conversation can run. */
  readonly executable: boolean;
}

/** A short digest of what the model is told about a tool: two tools that share it look the same to the model. */
export function toolFingerprint(tool: Pick<LiveTool, 'description' | 'parameters'>): string {
  return createHash('sha256')
    .update(JSON.stringify([tool.description, tool.parameters]))
    .digest('base64url')
    .slice(0, 12);
}
