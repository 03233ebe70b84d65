import { describe, expect, it } from '@jest/globals';
import { parseEviction, RedisMayEvict } from './redis-eviction.js';

describe('parseEviction', () => {
  it('[Q08] noeviction is safe', () => {
    expect(parseEviction('# Memory\r\nmaxmemory:0\r\nmaxmemory_policy:noeviction\r\n')).toEqual({
      kind: 'safe',
    });
  });

  it.each([
    'allkeys-lru',
    'allkeys-lfu',
    'allkeys-random',
    'volatile-lru',
    'volatile-lfu',
    'volatile-random',
    'volatile-ttl',
  ])('[Q08] %s is named as evicting', (policy) => {
    expect(parseEviction(`maxmemory:0\r\nmaxmemory_policy:${policy}\r\n`)).toEqual({
      kind: 'evicts',
      policy,
    });
    expect(new RedisMayEvict(policy).message).toContain(policy);
  });

  it.each(['', '# Memory\r\nused_memory:1\r\n', 'x_maxmemory_policy:noeviction'])(
    '[Q08] %j leaves the policy unknown',
    (text) => {
      expect(parseEviction(text)).toEqual({ kind: 'unknown' });
    },
  );
});
