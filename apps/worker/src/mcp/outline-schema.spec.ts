import { describe, expect, it } from '@jest/globals';
import { validateArguments } from '../tools/validate-arguments.js';
import { outlineSchema } from './outline-schema.js';

const judge = (schema: object, given: unknown) =>
  validateArguments(outlineSchema(schema as Record<string, unknown>), JSON.stringify(given)).ok;

describe('the outline of a schema', () => {
  it('judges required members, unknown members and types', () => {
    const schema = {
      properties: {
        a: { type: 'string' },
        b: { type: ['number', 'null'] },
        c: { type: 'string', nullable: true },
      },
      required: ['a'],
      additionalProperties: false,
    };
    expect(judge(schema, { a: 'x', b: null, c: null })).toBe(true);
    expect(judge(schema, {})).toBe(false);
    expect(judge(schema, { a: 1 })).toBe(false);
    expect(judge(schema, { a: 'x', d: 1 })).toBe(false);
    expect(judge(schema, [])).toBe(false);
  });

  it('[T09] a required member with the name of an object member must be given', () => {
    const schema = { properties: JSON.parse('{"__proto__":{"type":"string"}}'), required: ['constructor'] };
    expect(judge(schema, {})).toBe(false);
    expect(validateArguments(outlineSchema(schema), '{"constructor":1,"__proto__":"x"}').ok).toBe(true);
  });

  it('leaves to the server what could hold up a worker: patterns, references and combinations', () => {
    const schema = {
      properties: {
        a: { type: 'string', pattern: '^(a+)+$' },
        b: { $ref: '#/properties/b' },
        c: { allOf: [{ $ref: '#' }, { $ref: '#' }] },
      },
      patternProperties: { '^(x+)+$': {} },
      additionalProperties: false,
    };
    expect(outlineSchema(schema)).not.toMatch(/pattern|\$ref|allOf|additionalProperties/);
    expect(judge(schema, { a: `${'a'.repeat(60)}!`, b: 1, c: {}, other: 1 })).toBe(true);
  });
});
