import type { LiveTool } from '#agents';
import type { BatchCall } from '#transcripts';
import type { Tool } from '../tools/tool.js';

/** A call that passed the gate, with the tool that would carry it out and its arguments as they would be run. */
export interface CheckedCall {
  readonly call: BatchCall;
  readonly tool: LiveTool;
  readonly executor: Tool;
  /** The model's own text, or a hook's in its place. */
  readonly argumentsText: string;
  /** Its value, which the tool's schema accepts. */
  readonly arguments: unknown;
  /** What they stand for, as text, where they do not stand for themselves. */
  readonly snapshot: string | null;
}
