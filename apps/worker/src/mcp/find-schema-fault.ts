import { Ajv } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { findReferenceFault } from './find-reference-fault.js';

const OPTIONS = { strict: false, validateFormats: false, logger: false } as const;
/** Only their meta-schemas are used: compiling what an untrusted server wrote would run code made from it. */
const dialects = [new Ajv2020(OPTIONS), new Ajv(OPTIONS)];

/** Keywords that providers refuse at the top of a tool's schema. */
const REFUSED_AT_TOP = ['anyOf', 'oneOf', 'allOf', 'not', 'enum', 'const', '$ref'];

/**
 * Says why an input schema cannot be declared, or null (field case M17). It must be an object schema that providers take, well
 * formed in JSON Schema 2020-12 or draft-07, and its references must lead somewhere. Its depth is bounded by the caller.
 */
export function findSchemaFault(schema: unknown): string | null {
  if (typeof schema !== 'object' || schema === null || Array.isArray(schema)) return 'it is not an object';
  const { $schema: _dialect, ...rest } = schema as Record<string, unknown>;
  if (rest['type'] !== 'object') return 'its type is not "object"';
  const refused = REFUSED_AT_TOP.find((keyword) => Object.hasOwn(rest, keyword));
  if (refused !== undefined) return `it has "${refused}" at its top, which model providers refuse`;
  if (!dialects.some((dialect) => dialect.validateSchema(rest) === true))
    return 'it is not well-formed JSON Schema';
  return findReferenceFault(rest);
}
