import { canonicalJson } from './canonical-json.js';

type Json = Readonly<Record<string, unknown>>;

const TYPES: ReadonlySet<unknown> = new Set([
  'string',
  'number',
  'integer',
  'boolean',
  'object',
  'array',
  'null',
]);

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * The part of an input schema that a call is judged by here, as schema text: required members, unknown members where there may
 * be none, and the types of members. The rest is judged by the server, whose schema it is: patterns that take for ever, and
 * references that multiply, must not run in a worker that serves other agents.
 */
export function outlineSchema(schema: Json): string {
  const members = isObject(schema['properties']) ? Object.entries(schema['properties']) : [];
  const required = Array.isArray(schema['required'])
    ? schema['required'].filter((name) => typeof name === 'string')
    : [];
  const isClosed = schema['additionalProperties'] === false && !isObject(schema['patternProperties']);
  const properties = members.map(
    ([name, member]) => `${JSON.stringify(name)}:${canonicalJson(outlineMember(member))}`,
  );
  return `{"type":"object","properties":{${properties.join(',')}},"required":${JSON.stringify(required)}${
    isClosed ? ',"additionalProperties":false' : ''
  }}`;
}

function outlineMember(member: unknown): Json {
  if (!isObject(member)) return {};
  const given: readonly unknown[] = Array.isArray(member['type']) ? member['type'] : [member['type']];
  if (given.length === 0 || !given.every((type) => TYPES.has(type))) return {};
  return { type: member['nullable'] === true && !given.includes('null') ? [...given, 'null'] : given };
}
