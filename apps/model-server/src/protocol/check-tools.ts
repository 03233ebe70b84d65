import { accepted, refused, type Checked } from '../refusal.js';

/** A declared tool, free of its protocol. `schema` is null when the client declared none. */
export interface DeclaredTool {
  readonly name: string;
  readonly schema: unknown;
  readonly path: string;
}

const toolName = /^[A-Za-z0-9_-]{1,64}$/;
const forbiddenAtTop = ['anyOf', 'oneOf', 'allOf'] as const;

/** Whether providers take a name for a tool. */
export function isToolName(name: string): boolean {
  return toolName.test(name);
}

function checkSchema(tool: DeclaredTool): Checked<null> {
  const { schema } = tool;
  if (schema === null) return accepted(null);
  if (typeof schema !== 'object' || Array.isArray(schema)) {
    return refused(`${tool.path}: the schema of '${tool.name}' must be an object.`, tool.path);
  }
  const bad = forbiddenAtTop.find((key) => Object.hasOwn(schema, key));
  if (bad !== undefined) {
    return refused(
      `${tool.path}: the schema of '${tool.name}' must not have '${bad}' at the top level.`,
      tool.path,
    );
  }
  if (!Object.hasOwn(schema, 'type') || (schema as { type: unknown }).type !== 'object') {
    return refused(`${tool.path}: the schema of '${tool.name}' must have type 'object'.`, tool.path);
  }
  return accepted(null);
}

function checkTool(tool: DeclaredTool, names: Set<string>): Checked<null> {
  if (!isToolName(tool.name)) {
    return refused(`${tool.path}: tool name '${tool.name}' does not match '${toolName.source}'.`, tool.path);
  }
  if (names.has(tool.name))
    return refused(`${tool.path}: tool name '${tool.name}' is not unique.`, tool.path);
  names.add(tool.name);
  return checkSchema(tool);
}

/** Names well formed and unique, schemas objects of type 'object' without a union at the top. Answers the names. */
export function checkTools(tools: readonly DeclaredTool[]): Checked<readonly string[]> {
  const names = new Set<string>();
  for (const tool of tools) {
    const checked = checkTool(tool, names);
    if (!checked.ok) return checked;
  }
  return accepted([...names]);
}
