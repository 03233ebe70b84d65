import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { findSchemaFault } from './find-schema-fault.js';

const object = (more: object) => ({ type: 'object', ...more });

describe('an input schema', () => {
  it.each([
    ['nothing in it', object({})],
    ['recursion through members', object({ properties: { child: { $ref: '#' } } })],
    [
      'recursion through items of a definition',
      object({
        properties: { t: { $ref: '#/$defs/tree' } },
        $defs: { tree: { type: 'array', items: { $ref: '#/$defs/tree' } } },
      }),
    ],
    [
      'a definition that two members use',
      object({
        properties: { a: { $ref: '#/$defs/b~1c' }, d: { $ref: '#/$defs/b~1c' } },
        $defs: { 'b/c': {} },
      }),
    ],
    ['its dialect named', object({ $schema: 'http://json-schema.org/draft-07/schema#' })],
    ['items as draft-07 writes tuples', object({ properties: { a: { type: 'array', items: [{}, {}] } } })],
    [
      'members with the names of object members',
      JSON.parse('{"type":"object","properties":{"__proto__":{},"constructor":{}}}'),
    ],
  ])('[M17] with %s can be declared', (_what, schema) => expect(findSchemaFault(schema)).toBeNull());

  it.each([
    ['that is a list', []],
    ['that is true', true],
    ['without a type', {}],
    ['of type string', { type: 'string' }],
    ['with anyOf at the top', object({ anyOf: [{}] })],
    ['with a reference at the top', object({ $ref: '#/$defs/a', $defs: { a: {} } })],
    ['that is no JSON Schema', object({ properties: { a: { type: 'text' } } })],
    ['with a reference to itself', object({ properties: { a: { $ref: '#/properties/a' } } })],
    [
      'with a circle through anyOf',
      object({
        properties: { a: { $ref: '#/$defs/x' } },
        $defs: { x: { anyOf: [{ $ref: '#/$defs/y' }] }, y: { not: { $ref: '#/$defs/x' } } },
      }),
    ],
    ['with a reference to nothing', object({ properties: { a: { $ref: '#/$defs/a' } } })],
    ['with a reference to an inherited member', object({ properties: { a: { $ref: '#/constructor' } } })],
    ['with a reference to elsewhere', object({ properties: { a: { $ref: 'https://example.com/s' } } })],
    ['with a dynamic reference', object({ properties: { a: { $dynamicRef: '#a' } } })],
  ])('[M17] %s is refused', (_what, schema) => expect(findSchemaFault(schema)).not.toBeNull());

  it('[M17] never throws, whatever stands in it', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 6 }), (properties) => {
        const fault = findSchemaFault({ type: 'object', properties });
        expect(fault === null || typeof fault === 'string').toBe(true);
      }),
    );
  });
});
