import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ConfigError } from '../config-error.js';
import { loadOperatorConfig } from './load-operator-config.js';
import { defaultOperatorConfig } from './operator-config.js';

describe('the file of OFFSHOOT_CONFIG', () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'offshoot-config-'));
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  const load = (text: string | Uint8Array) => {
    const path = join(folder, 'offshoot.yaml');
    writeFileSync(path, text);
    return loadOperatorConfig(path);
  };
  const refusal = (text: string | Uint8Array): string => {
    try {
      load(text);
    } catch (error) {
      if (error instanceof ConfigError) return error.message;
      throw error;
    }
    throw new Error('The file was accepted.');
  };

  it('is not needed', () => {
    expect(loadOperatorConfig(undefined)).toEqual(defaultOperatorConfig);
    expect(load('{}')).toEqual(defaultOperatorConfig);
  });

  it('holds every setting, in YAML', () => {
    const config = load(`
hooks:
  - { event: PreToolUse, command: ./check.sh --strict, matcher: ^edit$, timeoutMs: 500 }
  - { event: AgentStop, url: 'https://audit.example/stop' }
classifier: { model: 'openai:gpt-5-mini' }
prices:
  openai:gpt-5: { input: 1.25, cached: 0.125, cacheWrite: 0, output: 10 }
limits: { maxTurns: 50, maxToolCalls: 0, maxCostUsd: 2.5 }
permissions:
  deny: [run_shell_command, mcp__docs]
  allow: [{ tool: edit, path: .mcp.json }]
trustedServers:
  - url: http://127.0.0.1:9000/mcp
  - { command: npx, args: [docs-server, --stdio] }
models:
  anthropic:claude: { contextWindow: 200000, maxOutputTokens: 32000 }
concurrency: { perSession: 20, perModel: { 'openai:gpt-5': 8 } }
profileFolder: .qwen/forks
approvalExpirySeconds: 3600
`);
    expect(config).toEqual({
      hooks: [
        { event: 'PreToolUse', command: './check.sh --strict', matcher: '^edit$', timeoutMs: 500 },
        { event: 'AgentStop', url: 'https://audit.example/stop', timeoutMs: 10_000 },
      ],
      classifier: { model: 'openai:gpt-5-mini', timeoutMs: 20_000 },
      prices: new Map([['openai:gpt-5', { input: 1.25, cached: 0.125, cacheWrite: 0, output: 10 }]]),
      limits: { maxTurns: 50, maxToolCalls: 0, maxCostUsd: 2.5 },
      permissions: {
        allow: [{ tool: 'edit', path: '.mcp.json' }],
        ask: [],
        deny: [{ tool: 'run_shell_command' }, { tool: 'mcp__docs' }],
      },
      trustedServers: [
        { url: 'http://127.0.0.1:9000/mcp' },
        { command: 'npx', args: ['docs-server', '--stdio'] },
      ],
      models: new Map([['anthropic:claude', { contextWindow: 200_000, maxOutputTokens: 32_000 }]]),
      concurrency: { perSession: 20, perModel: new Map([['openai:gpt-5', 8]]) },
      profileFolder: '.qwen/forks',
      approvalExpiryMs: 3_600_000,
    });
  });

  it('may be JSON', () => {
    expect(load('{\n\t"limits": {"maxTurns": 3}}').limits).toEqual({ maxTurns: 3 });
  });

  it.each([
    ['hook: []', 'hook in OFFSHOOT_CONFIG must be left out; known here: hooks, classifier, prices'],
    ['hooks: [{event: PreToolUse, command: a, timeout: 5}]', 'hooks[0].timeout in OFFSHOOT_CONFIG'],
    ['hooks: [{event: Before, command: a}]', 'hooks[0].event in OFFSHOOT_CONFIG must be one of PreToolUse'],
    [
      'hooks: [{event: AgentStop}]',
      'hooks[0] in OFFSHOOT_CONFIG must be a mapping with either a command or a url',
    ],
    ['hooks: [{event: AgentStop, command: a, url: "http://b"}]', 'either a command or a url'],
    ['hooks: [{event: AgentStop, url: "file:///b"}]', 'hooks[0].url'],
    ['hooks: [{event: PreToolUse, command: a, matcher: "("}]', 'hooks[0].matcher'],
    ['hooks: {event: AgentStop}', 'hooks in OFFSHOOT_CONFIG must be a list'],
    ['prices: {gpt-5: {input: 1, cached: 1, cacheWrite: 1, output: 1}}', 'the name of prices["gpt-5"]'],
    ['prices: {"openai:x": {input: -1, cached: 1, cacheWrite: 1, output: 1}}', 'prices["openai:x"].input'],
    ['prices: {"openai:x": {input: 1}}', 'prices["openai:x"].output'],
    ['prices: {__proto__: {input: 1}}', '__proto__'],
    ['limits: {maxTurns: 0}', 'limits.maxTurns in OFFSHOOT_CONFIG must be a whole number from 1'],
    ['limits: {maxSeconds: "9"}', 'limits.maxSeconds'],
    ['permissions: {deny: edit}', 'permissions.deny in OFFSHOOT_CONFIG must be a list'],
    ['permissions: {allow: [{tool: edit, path: ../x}]}', 'permissions.allow[0].path'],
    ['permissions: {allow: [{tool: edit, path: /etc}]}', 'permissions.allow[0].path'],
    ['trustedServers: [docs]', 'trustedServers[0]'],
    ['trustedServers: [{url: "http://a", args: []}]', 'trustedServers[0]'],
    ['models: {"openai:x": {contextWindow: 1.5}}', 'models["openai:x"].contextWindow'],
    ['approvalExpirySeconds: 0', 'approvalExpirySeconds'],
    ['profileFolder: profiles', 'profileFolder in OFFSHOOT_CONFIG must be a folder below .qwen or .offshoot'],
    ['profileFolder: .qwen/../profiles', 'profileFolder'],
    ['profileFolder: .qwen/./', 'profileFolder'],
    ['limits: {}\nlimits: {}', 'line 2 (DUPLICATE_KEY)'],
    ['limits: {', 'must be JSON or YAML'],
    ['a: &a [*a]', 'OFFSHOOT_CONFIG'],
    [
      `a: &a [x,x,x,x,x,x,x,x,x]\nb: &b [${'*a,'.repeat(9)}]\nc: &c [${'*b,'.repeat(9)}]\nd: [${'*c,'.repeat(9)}]`,
      'aliases',
    ],
    ['[]', 'OFFSHOOT_CONFIG must be a mapping'],
    ['null', 'OFFSHOOT_CONFIG must be a mapping'],
    ['', 'is empty'],
    ['{}\n---\n{}', 'must be JSON or YAML'],
    [Uint8Array.of(0x7b, 0xff, 0x7d), 'UTF-8'],
  ])('refuses %j and says where and what is accepted', (text, told) => {
    expect(refusal(text)).toContain(told);
  });

  it('names every bad setting at once', () => {
    const told = refusal('limits: {maxTurns: 0, turns: 1}\nhooks: 1');
    for (const name of ['limits.maxTurns', 'limits.turns', 'hooks']) expect(told).toContain(`${name} in`);
  });

  it('[SEC-1] is never repeated in a refusal', () => {
    expect(refusal('hooks: [{event: hunter2, command: hunter2, url: hunter2}]')).not.toContain('hunter2');
    expect(refusal('a: "hunter2')).not.toContain('hunter2');
  });

  it('that is named and cannot be read is no absent one', () => {
    const missing = join(folder, 'missing.yaml');
    expect(() => loadOperatorConfig(missing)).toThrow(`${missing} is not (ENOENT)`);
    expect(() => loadOperatorConfig(folder)).toThrow('EISDIR');
  });
});
