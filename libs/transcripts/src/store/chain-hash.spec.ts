import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { hash } from 'node:crypto';
import type { EventContext, NewEvent } from '../events/recorded-event.js';
import { chainHash, type ChainLink } from './chain-hash.js';

const link: ChainLink = {
  stream: '0192f0c1-7b1e-7c3a-9d55-3f1f6b1e2a44',
  version: 2,
  previousHash: 'ab'.repeat(32),
};
const event: NewEvent = { id: '0192f0c1-7b1e-7c3a-9d55-3f1f6b1e2a45', type: 'T', schema: 1, data: '{"a":1}' };
const context: EventContext = { actor: 'key:1', tenant: 't', causation: 'c', correlation: 'k', trace: 'w' };

describe('chainHash', () => {
  it('is this very value for this very event, for as long as logs live', () => {
    expect(chainHash(link, event, context)).toBe(
      '9516049ad4e89a5ea4d629b072e7a18b7b0bc8fcf7d16f9f61d3fa3452ac9aaa',
    );
  });

  it('is the SHA-256 of the JSON array of the head, a line feed and the payload, whatever the texts are', () => {
    const text = fc.oneof(
      fc.string(),
      fc.string({ unit: 'binary' }),
      fc.constantFrom('"', '\\', '\n', '\ud800'),
    );
    const maybe = fc.option(text, { nil: undefined });
    const parts = fc.record({ id: text, type: text, data: text, actor: text, tenant: text });
    const others = fc.record({ causation: maybe, correlation: maybe, trace: maybe });
    const links = fc.record({ stream: text, version: fc.nat(), previousHash: fc.option(text) });
    fc.assert(
      fc.property(links, parts, others, fc.nat(), (at, what, who, schema) => {
        const { id, type, data, actor, tenant } = what;
        const head = ['offshoot-chain-1', at.previousHash, at.stream, at.version, id, type, schema];
        const rest = [actor, tenant, who.causation ?? null, who.correlation ?? null, who.trace ?? null];
        const present = Object.fromEntries(Object.entries(who).filter(([, value]) => value !== undefined));
        expect(chainHash(at, { id, type, schema, data }, { actor, tenant, ...present })).toBe(
          hash('sha256', `${JSON.stringify([...head, ...rest])}\n${data}`, 'hex'),
        );
      }),
    );
  });

  it('changes with every part of the envelope and with the payload', () => {
    const changed = [
      ...Object.entries({ stream: 'x', version: 3, previousHash: null }).map(([part, value]) => [
        { ...link, [part]: value },
        event,
        context,
      ]),
      ...Object.entries({ id: 'x', type: 'x', schema: 2, data: 'x' }).map(([part, value]) => [
        link,
        { ...event, [part]: value },
        context,
      ]),
      ...Object.keys(context).map((part) => [link, event, { ...context, [part]: 'x' }]),
    ].map((parts) => chainHash(...(parts as [ChainLink, NewEvent, EventContext])));
    expect(new Set([chainHash(link, event, context), ...changed]).size).toBe(changed.length + 1);
  });

  it('tells an absent part from an empty one and from the word null', () => {
    const { trace: _trace, ...bare } = context;
    const hashes = [bare, { ...bare, trace: '' }, { ...bare, trace: 'null' }].map((each) =>
      chainHash(link, event, each),
    );
    expect(new Set(hashes).size).toBe(3);
  });

  it('is never the same when text moves from one part to its neighbour', () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1 }), fc.string(), fc.nat(), (left, right, cut) => {
        const joined = left + right;
        const at = cut % joined.length;
        fc.pre(at !== left.length);
        const moved = { ...context, correlation: joined.slice(0, at), trace: joined.slice(at) };
        expect(chainHash(link, event, { ...context, correlation: left, trace: right })).not.toBe(
          chainHash(link, event, moved),
        );
      }),
    );
  });
});
