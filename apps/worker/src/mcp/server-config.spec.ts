import { describe, expect, it } from '@jest/globals';
import { maskSecrets, resolveReferences } from './resolve-references.js';
import { parseServers, serversDigest } from './server-config.js';

describe('the servers of a session', () => {
  it('are read one by one; what cannot be a server is reported under its raw form', () => {
    const { servers, withheld } = parseServers(
      '{"a":{"command":"x"},"b":{"url":"http://h"},"c":{},"d":{"command":"x","cwd":"/"},"e__f":{"command":"x"},"__proto__":{"command":"x"}}',
    );
    expect([...servers.keys()]).toEqual(['a', 'b']);
    expect(servers.get('a')).toEqual({ kind: 'stdio', command: 'x', args: [], env: {} });
    expect(withheld.map(({ name }) => name)).toEqual(['mcp__c', 'mcp__d', 'mcp__e__f', 'mcp____proto__']);
  });

  it('share connections only within one session, folder and configuration', () => {
    const session = { sessionId: 's', projectRoot: '/p', mcpServers: '{"a":{}}' };
    const others = [{ sessionId: 't' }, { projectRoot: '/q' }, { mcpServers: '{"a":{} }' }];
    const digests = [{}, ...others].map((change) => serversDigest({ ...session, ...change }));
    expect(new Set(digests).size).toBe(4);
    expect(serversDigest({ ...session })).toBe(digests[0]);
  });
});

describe('a reference', () => {
  const config = (value: string) => ({ kind: 'http', url: 'http://h', headers: { a: value } }) as const;

  it('is replaced by what the worker has, in every string of a configuration', () => {
    const stdio = {
      kind: 'stdio',
      command: '${env:A}',
      args: ['-k', 'x${env:A}y${env:B}'],
      env: { E: '${env:B}' },
    } as const;
    expect(resolveReferences(stdio, { A: 'one', B: 'two $&' })).toEqual({
      ok: true,
      config: { kind: 'stdio', command: 'one', args: ['-k', 'xoneytwo $&'], env: { E: 'two $&' } },
      secrets: ['one', 'two $&'],
    });
  });

  it.each([
    ['${env:NOT_SET}', 'NOT_SET is not set'],
    ['${env:}', 'not a reference'],
    ['${env:constructor}', 'constructor is not set'],
    ['${env:DATABASE_URL}', 'DATABASE_URL is not for servers'],
    ['${env:OFFSHOOT_API_KEY}', 'OFFSHOOT_API_KEY is not for servers'],
    ['${env:OPENAI_API_KEY}', 'OPENAI_API_KEY is not for servers'],
  ])('%s fails with words that show no value', (value, words) => {
    const environment = { DATABASE_URL: 'v', OFFSHOOT_API_KEY: 'v', OPENAI_API_KEY: 'v' };
    expect(resolveReferences(config(value), environment)).toEqual({
      ok: false,
      problem: expect.stringContaining(words) as unknown,
    });
  });

  it('is taken out of every text, the longest first; values too short to be secrets stay', () =>
    expect(maskSecrets('abcdef abcd ab', ['abcd', 'abcdef', 'ab'])).toBe('[secret] [secret] ab'));
});
