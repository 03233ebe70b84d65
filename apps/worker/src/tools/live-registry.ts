import type { LiveTool } from '#agents';
import type { Tool, ToolDefinition } from './tool.js';

/** The built-ins as the surface sees them; one without an executor here is declared and never run here. */
export function liveBuiltIns(
  definitions: Iterable<ToolDefinition>,
  executors: ReadonlyMap<string, Tool>,
): readonly LiveTool[] {
  return Array.from(definitions, ({ name, description, parameters, readOnly, idempotent }) => ({
    identity: { name },
    description,
    parameters,
    readOnly,
    idempotent: readOnly || idempotent,
    executable: executors.has(name),
  }));
}
