import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';

const MOST_PROBLEMS = 8;
const MOST_SCHEMAS = 1_000;

// ownProperties: without it a required `constructor` or `toString` counts as given on every object.
const OPTIONS = {
  strict: false,
  allErrors: true,
  ownProperties: true,
  validateFormats: false,
  logger: false,
} as const;

/** A schema that can judge, or why it cannot. */
export type CompiledSchema =
  | { readonly ok: true; readonly validate: ValidateFunction }
  | { readonly ok: false; readonly problem: string };

const compiled = new Map<string, CompiledSchema>();

function compile(text: string): CompiledSchema {
  try {
    const schema = JSON.parse(text) as { $schema?: string } | boolean;
    const dialect = typeof schema === 'object' ? schema.$schema : undefined;
    const ajv = dialect?.includes('2020-12') === true ? new Ajv2020(OPTIONS) : new Ajv(OPTIONS);
    return { ok: true, validate: ajv.compile(schema) };
  } catch (error) {
    return { ok: false, problem: error instanceof Error ? error.message : String(error) };
  }
}

/**
 * Compiles the text of a JSON Schema (draft-07, or 2020-12 where it says so) once. A schema that does not
 * compile is a value, since an untrusted server may have written it.
 */
export function compileSchema(text: string): CompiledSchema {
  const known = compiled.get(text);
  if (known !== undefined) return known;
  if (compiled.size >= MOST_SCHEMAS) compiled.clear();
  const fresh = compile(text);
  compiled.set(text, fresh);
  return fresh;
}

/** `argument`, then what the schema says of it. */
function describeProblem(error: ErrorObject): string {
  const where = error.instancePath === '' ? 'the arguments' : error.instancePath.slice(1);
  const { additionalProperty, allowedValues } = error.params as {
    additionalProperty?: string;
    allowedValues?: unknown[];
  };
  if (additionalProperty !== undefined) return `${where} must not have "${additionalProperty}"`;
  const choices = allowedValues === undefined ? '' : `: ${allowedValues.map(String).join(', ')}`;
  return `${where} ${error.message ?? 'is not valid'}${choices}`;
}

/** One sentence with the first problems that a validation found. */
export function describeProblems(errors: readonly ErrorObject[]): string {
  const named = errors.slice(0, MOST_PROBLEMS).map(describeProblem);
  const rest = errors.length - named.length;
  return `${named.join('; ')}${rest > 0 ? `; and ${rest} more` : ''}.`;
}
