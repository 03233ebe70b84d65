import { beforeEach, describe, expect, it } from '@jest/globals';
import { hashKey, type LiveKey } from '#platform';
import { LiveKeys } from './live-keys.js';

const keyOf = (name: string): LiveKey => ({
  id: `id-of-${name}`,
  tenant: 'acme',
  scopes: ['observe'],
  digest: hashKey(name),
});
const digestOf = (name: string): Buffer => Buffer.from(hashKey(name), 'hex');

describe('the keys that an orchestrator knows', () => {
  let stored: readonly LiveKey[];
  let reads: number;
  let isAway: boolean;
  let nowMs: number;
  let gate: Promise<void>;
  let keys: LiveKeys;

  beforeEach(() => {
    stored = [keyOf('first'), keyOf('second')];
    reads = 0;
    isAway = false;
    nowMs = 5_000;
    gate = Promise.resolve();
    keys = new LiveKeys({
      read: async () => {
        reads += 1;
        const found = stored;
        await gate;
        if (isAway) throw new Error('away');
        return found;
      },
      nowMs: () => nowMs,
    });
  });

  it('are read once for all the requests of a second', async () => {
    for (let ms = 0; ms < 1_000; ms += 10) {
      nowMs = 5_000 + ms;
      expect(await keys.withDigest(digestOf('first'))).toEqual(keyOf('first'));
      expect(await keys.withId('id-of-second')).toEqual(keyOf('second'));
    }
    expect(reads).toBe(1);
  });

  it('[SEC-1] do not hold a revoked key for longer than a second, though every wake-up is lost', async () => {
    await keys.refresh();
    stored = [keyOf('second')];
    nowMs += 1_000;
    expect(await keys.withDigest(digestOf('first'))).toBeNull();
    expect(await keys.withId('id-of-first')).toBeNull();
    expect(await keys.withDigest(digestOf('second'))).toEqual(keyOf('second'));
  });

  it('[SEC-1] do not hold a revoked key at all once a wake-up was followed', async () => {
    await keys.refresh();
    stored = [];
    await keys.refresh();
    expect(await keys.withDigest(digestOf('first'))).toBeNull();
  });

  it('[SEC-1] are not believed any longer when they cannot be read: nobody gets in, and it is said to be a fault', async () => {
    await keys.refresh();
    isAway = true;
    expect(await keys.withDigest(digestOf('first'))).toEqual(keyOf('first'));
    nowMs += 1_000;
    await expect(keys.withDigest(digestOf('first'))).rejects.toThrow('away');
    isAway = false;
    expect(await keys.withDigest(digestOf('first'))).toEqual(keyOf('first'));
  });

  it('are looked for again when one is not known, and not for each wrong one', async () => {
    await keys.refresh();
    stored = [...stored, keyOf('new')];
    nowMs += 100;
    expect(await keys.withDigest(digestOf('new'))).toEqual(keyOf('new'));
    expect(reads).toBe(2);
    for (let wrong = 0; wrong < 1_000; wrong += 1)
      expect(await keys.withDigest(digestOf(`wrong-${wrong}`))).toBeNull();
    expect(reads).toBe(2);
  });

  it('[SEC-1] a reading that began before a revocation does not stand for one asked for after it', async () => {
    let release = (): void => undefined;
    gate = new Promise((resolve) => (release = resolve));
    const early = keys.refresh();
    stored = [];
    const late = [keys.refresh(), keys.refresh()];
    release();
    await Promise.all([early, ...late]);
    expect(await keys.withDigest(digestOf('first'))).toBeNull();
    expect(reads).toBe(2);
  });

  it('go on being read after a reading failed', async () => {
    isAway = true;
    const both = await Promise.allSettled([keys.refresh(), keys.refresh()]);
    expect(both.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    isAway = false;
    await keys.refresh();
    expect(await keys.withDigest(digestOf('first'))).toEqual(keyOf('first'));
  });

  it('[SEC-1] tell once whoever holds something open for a key that it is gone, and nobody else', async () => {
    const told: string[] = [];
    await keys.refresh();
    keys.onRevoked('id-of-first', () => told.push('first'));
    keys.onRevoked('id-of-first', () => told.push('first, too'));
    keys.onRevoked('id-of-second', () => told.push('second'));
    keys.onRevoked('id-of-first', () => told.push('taken back'))();
    await keys.refresh();
    expect(told).toEqual([]);
    stored = [keyOf('second')];
    await keys.refresh();
    await keys.refresh();
    expect(told).toEqual(['first', 'first, too']);
  });
});
