import { createHash } from 'node:crypto';
import { z } from 'zod';
import { checkJsonBounds } from '#policy';
import { firstCodePoints } from '../tools/output-cap.js';
import { canonicalJson } from './canonical-json.js';
import { findSchemaFault } from './find-schema-fault.js';
import { outlineSchema } from './outline-schema.js';
import { reasonText, WithheldCode } from './withheld.js';

/** One tool as its server defines it. */
export interface ServerTool {
  /** The raw name. */
  readonly name: string;
  readonly description: string;
  /** The input schema as canonical text: what is declared. */
  readonly parameters: string;
  /** Schema text that calls are judged by before they are sent. */
  readonly outline: string;
  /** Canonical text of the annotations, `{}` when there are none. */
  readonly annotations: string;
  readonly hints: ToolHints;
  /** Of raw identity, description, schema and annotations: another digest is another tool (field case M19). */
  readonly digest: string;
}

/** What an untrusted server says of its tool. */
export interface ToolHints {
  readonly readOnly: boolean;
  readonly idempotent: boolean;
}

export type ParsedTool =
  | { readonly ok: true; readonly tool: ServerTool }
  | { readonly ok: false; readonly name: string; readonly reason: string };

const BOUNDS = { maxDepth: 64, maxNodes: 10_000 };
const LONGEST_NAME = 512;
const LONGEST_DESCRIPTION = 16_384;
const LONGEST_SCHEMA = 262_144;
/** How `JSON.stringify` writes half a surrogate pair, which providers refuse. */
const LONE_SURROGATE = /\\ud[89a-f]/;

const Definition = z.looseObject({
  description: z.string().nullish(),
  inputSchema: z.unknown().optional(),
  outputSchema: z.unknown().optional(),
  annotations: z.looseObject({}).nullish(),
  execution: z.looseObject({ taskSupport: z.unknown().optional() }).nullish(),
});

/**
 * Reads one tool of a list, on its own: a bad one is quarantined with a reason and takes no other down (M17). Bounds come
 * first, before anything recursive sees the value.
 */
export function parseTool(server: string, given: unknown): ParsedTool {
  const bounded = checkJsonBounds(given, BOUNDS);
  const name = nameOf(given);
  const refuse = (code: WithheldCode, words: string): ParsedTool => ({
    ok: false,
    name: firstCodePoints((name ?? '').toWellFormed(), LONGEST_NAME),
    reason: reasonText(code, words),
  });
  const nameFault = findNameFault(name);
  if (name === null || nameFault !== null)
    return refuse(WithheldCode.TOOL_NAME, nameFault ?? 'it has no name');
  if (!bounded.ok) return refuse(WithheldCode.SCHEMA, bounded.rejection.message);
  const definition = Definition.safeParse(given);
  if (!definition.success) return refuse(WithheldCode.SCHEMA, z.prettifyError(definition.error));
  const fault = findDefinitionFault(definition.data);
  if (fault !== null) return refuse(...fault);
  return { ok: true, tool: toolOf(server, name, definition.data) };
}

function nameOf(given: unknown): string | null {
  return typeof given === 'object' && given !== null && 'name' in given && typeof given.name === 'string'
    ? given.name
    : null;
}

function findNameFault(name: string | null): string | null {
  if (name === null || name === '') return 'it has no name';
  if (name.length > LONGEST_NAME) return `its name is longer than ${LONGEST_NAME} characters`;
  if (!name.isWellFormed() || /\p{Cc}/u.test(name)) return 'its name has control characters or is ill-formed';
  return null;
}

type Given = z.infer<typeof Definition>;

function findDefinitionFault(given: Given): readonly [WithheldCode, string] | null {
  const input = findSchemaFault(given.inputSchema) ?? findTextFault(given.inputSchema);
  if (input !== null) return [WithheldCode.SCHEMA, `the input schema is refused: ${input}`];
  if (!isObjectSchema(given.outputSchema ?? { type: 'object' }))
    return [WithheldCode.SCHEMA, 'the output schema is refused: its type is not "object"'];
  return given.execution?.taskSupport === 'required'
    ? [WithheldCode.NEEDS_TASKS, 'it can only be called as a task, which is not supported']
    : null;
}

function findTextFault(schema: unknown): string | null {
  const text = canonicalJson(schema);
  return text.length > LONGEST_SCHEMA || LONE_SURROGATE.test(text) ? 'it is too long or ill-formed' : null;
}

const isObjectSchema = (schema: unknown): boolean =>
  typeof schema === 'object' && schema !== null && 'type' in schema && schema.type === 'object';

function toolOf(server: string, name: string, given: Given): ServerTool {
  const schema = { properties: {}, ...(given.inputSchema as object) };
  const description = firstCodePoints((given.description ?? '').toWellFormed(), LONGEST_DESCRIPTION);
  const parameters = canonicalJson(schema);
  const annotations = canonicalJson(given.annotations ?? {});
  return {
    name,
    description,
    parameters,
    outline: outlineSchema(schema),
    annotations,
    hints: {
      readOnly: given.annotations?.['readOnlyHint'] === true,
      idempotent: given.annotations?.['idempotentHint'] === true,
    },
    digest: createHash('sha256')
      .update(JSON.stringify([server, name, given.description ?? '', parameters, annotations]))
      .digest('base64url'),
  };
}
