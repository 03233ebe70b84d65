import { describe, expect, it } from '@jest/globals';
import { scopesWithin } from './key-scopes.js';
import { parseNewKeyRequest } from './new-key-request.js';

describe('the scopes of a key', () => {
  it.each([
    [['observe'], ['observe']],
    [['launch'], ['observe', 'launch']],
    [['operate'], ['observe', 'launch', 'operate']],
    [
      ['observe', 'admin'],
      ['observe', 'launch', 'operate', 'admin'],
    ],
  ])('%j are worth %j: each includes the ones before it', (granted, worth) => {
    expect([...scopesWithin(granted)]).toEqual(worth);
  });

  it('[SEC-1] that this release does not know grant nothing', () => {
    expect([...scopesWithin([])]).toEqual([]);
    expect([...scopesWithin(['everything', 'ADMIN', ''])]).toEqual([]);
    expect([...scopesWithin(['superuser', 'observe'])]).toEqual(['observe']);
  });
});

describe('a request for a key', () => {
  const sound = { name: 'ci', tenant: 'acme', scopes: ['launch'] };

  it('names who it is for, whose it is and what it may do', () => {
    expect(parseNewKeyRequest(sound)).toEqual({ ok: true, request: sound });
  });

  it.each([
    ['name', { name: '' }],
    ['name', { name: 'a\u001b[31m' }],
    ['name', { name: 'x'.repeat(101) }],
    ['tenant', { tenant: '' }],
    ['tenant', { tenant: 'Acme' }],
    ['tenant', { tenant: 'a b' }],
    ['tenant', { tenant: '-a' }],
    ['scopes', { scopes: [] }],
    ['scopes', { scopes: ['root'] }],
  ])('is refused for its %s where that is %j', (part, change) => {
    expect(parseNewKeyRequest({ ...sound, ...change })).toEqual({
      ok: false,
      message: expect.stringMatching(new RegExp(`^${part}: must be `)),
    });
  });
});
