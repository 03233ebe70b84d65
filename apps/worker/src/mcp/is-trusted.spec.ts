import { describe, expect, it } from '@jest/globals';
import { isTrusted } from './is-trusted.js';
import type { ServerConfig } from './server-config.js';

const http = (url: string): ServerConfig => ({ kind: 'http', url, headers: {} });
const stdio = (command: string, args: readonly string[] = [], env = {}): ServerConfig => ({
  kind: 'stdio',
  command,
  args,
  env,
});
const trusted = [
  { url: 'http://127.0.0.1:9000/mcp' },
  { command: 'docs-server', args: ['--stdio'] },
  { command: 'bare' },
];

describe('[M19] the annotations of a server count when the operator named', () => {
  it('its URL', () => {
    expect(isTrusted(http('http://127.0.0.1:9000/mcp'), trusted)).toBe(true);
    expect(isTrusted(http('http://127.0.0.1:9000/mcp/'), trusted)).toBe(false);
    expect(isTrusted(http('http://127.0.0.1:9000/mcp'), [])).toBe(false);
  });

  it('its command with exactly its arguments', () => {
    expect(isTrusted(stdio('docs-server', ['--stdio']), trusted)).toBe(true);
    expect(isTrusted(stdio('bare'), trusted)).toBe(true);
    expect(isTrusted(stdio('docs-server'), trusted)).toBe(false);
    expect(isTrusted(stdio('docs-server', ['--stdio', '--root=/']), trusted)).toBe(false);
    expect(isTrusted(stdio('docs-server', ['--stdio --x']), trusted)).toBe(false);
  });

  it('nothing that the session may steer: an environment or a reference makes it another server', () => {
    expect(isTrusted(stdio('bare', [], { PATH: '/tmp' }), trusted)).toBe(false);
    expect(isTrusted(http('${env:URL}'), trusted)).toBe(false);
  });
});
