import { expect, it } from '@jest/globals';
import type { LiveTool } from '#agents';
import { mcpTool } from '../mcp/mcp-tool.js';
import { parseTool } from '../mcp/parse-tool.js';
import { approvalFingerprint } from './approval-fingerprint.js';

const builtIn = (changes: Partial<LiveTool> = {}): LiveTool => ({
  identity: { name: 'edit' },
  description: 'edits',
  parameters: '{"type":"object","properties":{"a":{"type":"string"}}}',
  readOnly: false,
  idempotent: false,
  executable: true,
  ...changes,
});

function serverTool(given: object = {}, server = 'srv'): LiveTool {
  const parsed = parseTool(server, {
    name: 't',
    description: 'd',
    inputSchema: { type: 'object', properties: { a: { type: 'string' } } },
    annotations: { readOnlyHint: false },
    ...given,
  });
  if (!parsed.ok) throw new Error(parsed.reason);
  return mcpTool(server, parsed.tool, false, { call: () => Promise.resolve(null), mask: (text) => text });
}

it('[M19] changes with who a tool is and with everything that is said of it', () => {
  const all = [
    builtIn(),
    builtIn({ identity: { name: 'edit2' } }),
    builtIn({ description: 'edits more' }),
    builtIn({ parameters: '{"type":"object","properties":{"b":{"type":"string"}}}' }),
    serverTool(),
    serverTool({}, 'srv2'),
    serverTool({ name: 't2' }),
    serverTool({ description: 'e' }),
    serverTool({ inputSchema: { type: 'object' } }),
    serverTool({ annotations: { readOnlyHint: true } }),
  ].map(approvalFingerprint);
  expect(new Set(all).size).toBe(all.length);
});

it('[M19] does not change with the order of keys', () => {
  const turned = '{"properties":{"a":{"type":"string"}},"type":"object"}';
  expect(approvalFingerprint(builtIn({ parameters: turned }))).toBe(approvalFingerprint(builtIn()));
  const inputSchema = { properties: { a: { type: 'string' } }, type: 'object' };
  expect(approvalFingerprint(serverTool({ inputSchema }))).toBe(approvalFingerprint(serverTool()));
});
