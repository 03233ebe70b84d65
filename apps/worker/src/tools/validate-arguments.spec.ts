import { describe, expect, it } from '@jest/globals';
import { validateArguments } from './validate-arguments.js';

const schema = JSON.stringify({
  type: 'object',
  properties: { path: { type: 'string' }, mode: { enum: ['a', 'b'] } },
  required: ['path'],
  additionalProperties: false,
});
const noArguments = JSON.stringify({ type: 'object', properties: { all: { type: 'boolean' } } });
const open = JSON.stringify({ type: 'object' });

function problemOf(parameters: string, text: string): string {
  const result = validateArguments(parameters, text);
  if (result.ok) throw new Error('was accepted');
  return result.problem;
}

describe('validating the argument text of a call', () => {
  it('arguments that fit are handed on as they were parsed', () => {
    expect(validateArguments(schema, '{"path":"a"}')).toEqual({ ok: true, arguments: { path: 'a' } });
  });

  it.each([
    '{"path":',
    'null x',
    "{'path':'a'}",
    '{"path":"a",}',
    'undefined',
    '{"path":"a"}{"path":"b"}',
    ' ',
  ])('text that is not strict JSON is refused: %s', (text) =>
    expect(problemOf(schema, text)).toContain('not valid JSON'),
  );

  it.each(['[]', '"path"', '1', 'null', 'true'])('JSON that is no object is refused: %s', (text) =>
    expect(problemOf(schema, text)).toContain('must be object'),
  );

  it('every problem is listed, with what would be accepted', () => {
    const problem = problemOf(schema, '{"mode":"c","extra":1}');
    expect(problem).toContain("must have required property 'path'");
    expect(problem).toContain('mode must be equal to one of the allowed values: a, b');
    expect(problem).toContain('must not have "extra"');
  });

  it('empty text means no arguments where none is required, and is malformed elsewhere', () => {
    expect(validateArguments(noArguments, '')).toEqual({ ok: true, arguments: {} });
    expect(problemOf(schema, '')).toContain(
      "empty. Wrong arguments: the arguments must have required property 'path'",
    );
  });

  it.each([65, 1_500, 6_000, 100_000])(
    '[E11] arguments nested %i deep are refused and nothing breaks',
    (depth) =>
      expect(problemOf(open, `{"a":${'['.repeat(depth)}${']'.repeat(depth)}}`)).toContain('nested deeper'),
  );

  it('[N07] a __proto__ key stays an own key and pollutes nothing, or is refused by a closed schema', () => {
    const text = '{"__proto__":{"admin":true},"constructor":1}';
    const result = validateArguments(open, text);
    expect(result.ok && JSON.stringify(result.arguments)).toBe(text);
    expect(({} as { admin?: unknown }).admin).toBeUndefined();
    expect(problemOf(schema, '{"path":"a","__proto__":{"admin":true}}')).toContain(
      'must not have "__proto__"',
    );
  });

  it.each(['constructor', 'toString', '__proto__'])(
    '[T09] a required %s is not taken from the prototype',
    (name) => {
      const asks = JSON.stringify({ type: 'object', required: [name] });
      expect(problemOf(asks, '{}')).toContain(`required property '${name}'`);
      expect(validateArguments(asks, `{"${name}":1}`).ok).toBe(true);
    },
  );

  it('a schema that does not compile refuses its calls instead of throwing', () => {
    expect(problemOf('{"type":"nonsense"}', '{}')).toContain('its schema is broken');
    expect(problemOf('{"$ref":"https://example.com/other.json"}', '{}')).toContain('its schema is broken');
    expect(problemOf('not json', '{}')).toContain('its schema is broken');
  });

  it('a schema of the 2020-12 dialect is judged by its own rules', () => {
    const tuple = JSON.stringify({
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      type: 'object',
      properties: { pair: { type: 'array', prefixItems: [{ type: 'string' }], items: false } },
    });
    expect(validateArguments(tuple, '{"pair":["a"]}').ok).toBe(true);
    expect(validateArguments(tuple, '{"pair":["a",1]}').ok).toBe(false);
  });
});
