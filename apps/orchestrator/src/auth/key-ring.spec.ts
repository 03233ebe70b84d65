import { beforeEach, describe, expect, it } from '@jest/globals';
import { hashKey, type LiveKey, newApiKey, newId } from '#platform';
import { KeyRing } from './key-ring.js';
import { LiveKeys } from './live-keys.js';

const adminKey = newApiKey();
const observerKey = newApiKey();
const observer: LiveKey = {
  id: newId(),
  tenant: 'acme',
  scopes: ['observe'],
  digest: hashKey(observerKey),
};

describe('the ring of keys', () => {
  let stored: readonly LiveKey[];
  let nowMs: number;
  let ring: KeyRing;

  beforeEach(() => {
    stored = [observer];
    nowMs = Date.parse('2026-11-30T12:00:00Z');
    ring = ringOver(adminKey);
  });

  const ringOver = (key: string | null): KeyRing =>
    new KeyRing(
      key,
      new LiveKeys({ read: () => Promise.resolve(stored), nowMs: () => nowMs }),
      () => new Date(nowMs),
    );
  const bearer = (key: string) => ring.identify(`Bearer ${key}`, undefined);
  const cookieOf = (token: string): string => ring.exchange(token)?.split(';')[0] ?? '';

  it('[SEC-1] knows the admin key as everything in the default tenant, and a stored key as what was stored', async () => {
    const admin = await bearer(adminKey);
    expect([admin?.keyId, admin?.tenant, [...(admin?.scopes ?? [])]]).toEqual([
      'admin',
      'default',
      ['observe', 'launch', 'operate', 'admin'],
    ]);
    expect(await bearer(observerKey)).toEqual({
      keyId: observer.id,
      tenant: 'acme',
      scopes: new Set(['observe']),
    });
  });

  it.each([
    ['nothing', undefined],
    ['an empty header', ''],
    ['another scheme', `Basic ${adminKey}`],
    ['no key', 'Bearer '],
    ['a key that is none', `Bearer ${newApiKey()}`],
    ['a hash in the place of the key', `Bearer ${observer.digest}`],
    ['the id of a key', `Bearer ${observer.id}`],
    ['half a key', `Bearer ${adminKey.slice(0, -1)}`],
    ['two keys', `Bearer ${adminKey} ${adminKey}`],
  ])('[SEC-1] knows nobody by %s', async (_what, header) => {
    expect(await ring.identify(header, undefined)).toBeNull();
  });

  it('[SEC-1] has no admin key where none was made for it, and prints no link then', async () => {
    ring = ringOver(null);
    expect(await bearer(adminKey)).toBeNull();
    expect(await bearer('')).toBeNull();
    expect(ring.makeStartToken()).toBeNull();
    expect((await bearer(observerKey))?.keyId).toBe(observer.id);
  });

  it('[SEC-1] gives for a link a cookie of whoever asked for the link: the tenant and the scopes of its key, no more', async () => {
    const asker = await bearer(observerKey);
    if (asker === null) throw new Error('The key is not known.');
    const cookie = cookieOf(ring.makeLoginToken(asker));
    expect(await ring.identify(undefined, cookie)).toEqual(asker);
    stored = [];
    nowMs += 1_000;
    expect(await ring.identify(undefined, cookie)).toBeNull();
  });

  it('[SEC-1] gives for the link of a start the cookie of the administrator, once and for twelve hours', async () => {
    const token = ring.makeStartToken() ?? '';
    const cookie = cookieOf(token);
    expect((await ring.identify(undefined, `other=1; ${cookie}`))?.keyId).toBe('dashboard');
    expect(ring.exchange(token)).toBeNull();
    nowMs += 12 * 3_600_000;
    expect(await ring.identify(undefined, cookie)).toBeNull();
  });

  it('[SEC-1] takes no link after ten minutes, and none that it did not make', () => {
    const token = ring.makeStartToken() ?? '';
    nowMs += 10 * 60_000 + 1;
    expect(ring.exchange(token)).toBeNull();
    expect(ring.exchange('')).toBeNull();
    expect(ring.exchange(token)).toBeNull();
  });

  it('[SEC-1] believes no cookie whose holder, end or signature was changed', async () => {
    const asker = await bearer(observerKey);
    if (asker === null) throw new Error('The key is not known.');
    const cookie = cookieOf(ring.makeLoginToken(asker));
    const [name = '', value = ''] = cookie.split('=');
    const forged = [
      value.replace(observer.id, 'dashboard'),
      value.replace(/^\w+/, 'zzzzzzzzz'),
      value.slice(0, -1),
      value.replace(/\.[^.]+$/, ''),
      observer.id,
      '',
    ].map((text) => `${name}=${text}`);
    for (const one of forged) expect([one, await ring.identify(undefined, one)]).toEqual([one, null]);
    // One of an orchestrator with another admin key.
    const other = new KeyRing(
      newApiKey(),
      new LiveKeys({ read: () => Promise.resolve(stored), nowMs: () => 0 }),
      () => new Date(nowMs),
    );
    expect(await other.identify(undefined, cookie)).toBeNull();
  });

  it('remembers which stored keys were used, until it is asked', async () => {
    await bearer(observerKey);
    await bearer(observerKey);
    await bearer(adminKey);
    expect(ring.takeUsed()).toEqual([observer.id]);
    expect(ring.takeUsed()).toEqual([]);
  });

  it('[SEC-1] tells of the end of a stored key; the admin key has none', async () => {
    const told: string[] = [];
    for (const key of [adminKey, observerKey]) {
      const principal = await bearer(key);
      if (principal !== null) ring.onRevoked(principal, () => told.push(principal.keyId));
    }
    stored = [];
    nowMs += 1_000;
    await bearer(observerKey);
    expect(told).toEqual([observer.id]);
  });
});
