import { describe, expect, it } from '@jest/globals';
import type { AgentEvent } from '#transcripts';
import { event, metaOf, specRuntime } from '#transcripts/testing';
import type { RunContext } from '../run/run-context.js';
import { bindRegistry, type ToolRegistry } from './bind-registry.js';
import { mcpTool } from './mcp-tool.js';
import { parseTool } from './parse-tool.js';
import { refreshSurface } from './refresh-surface.js';

const ports = { call: () => Promise.resolve(null), mask: (text: string) => text };

function registry(...definitions: readonly object[]): ToolRegistry {
  const tools = definitions.map((given) => {
    const parsed = parseTool('srv', { inputSchema: { type: 'object' }, ...given });
    if (!parsed.ok) throw new Error(parsed.reason);
    return mcpTool('srv', parsed.tool, false, ports);
  });
  return { tools, withheld: [] };
}

/** A run of a session bound to one registry, while the servers offer another. */
function runBoundTo(before: ToolRegistry, now: ToolRegistry, mcpServers = '{"srv":{}}') {
  const recorded: AgentEvent[] = [];
  const runtime = { ...specRuntime, mcpServers };
  const meta = metaOf(event.sessionOpened({ runtime }));
  const bound = bindRegistry(meta, runtime, before);
  if (!bound.ok) throw new Error(bound.detail);
  const run = {
    runtime,
    bound,
    epoch: 1,
    log: { meta, record: (...events: AgentEvent[]) => Promise.resolve(void recorded.push(...events)) },
    services: { currentTools: () => now },
  };
  return { run: run as unknown as RunContext, recorded, bound };
}

describe('a run at a turn boundary', () => {
  it('[M05] records what its servers offer now and goes on with that', async () => {
    const { run, recorded } = runBoundTo(registry({ name: 'old' }), registry({ name: 'new' }));
    await refreshSurface(run);
    expect(recorded).toEqual([
      {
        type: 'SurfaceChanged',
        data: { epoch: 1, surface: expect.objectContaining({ declared: ['mcp__srv__new'] }) as unknown },
      },
    ]);
    expect(run.bound.gate.decide('mcp__srv__old').allowed).toBe(false);
    expect(run.bound.gate.decide('mcp__srv__new').allowed).toBe(true);
  });

  it('[P01] records nothing when the same tools come in another order', async () => {
    const [a, b] = [{ name: 'a' }, { name: 'b' }];
    const { run, recorded, bound } = runBoundTo(registry(a, b), registry(b, a));
    await refreshSurface(run);
    expect(recorded).toEqual([]);
    expect(run.bound).toBe(bound);
  });

  it.each([
    ['description', { description: 'other' }],
    ['schema', { inputSchema: { type: 'object', required: ['a'] } }],
    ['annotations', { annotations: { destructiveHint: false } }],
  ])('[M19] records a tool whose %s changed', async (_what, change) => {
    const { run, recorded } = runBoundTo(registry({ name: 't' }), registry({ name: 't', ...change }));
    await refreshSurface(run);
    expect(recorded.map(({ type }) => type)).toEqual(['SurfaceChanged']);
  });

  it('records a server that failed once, however its words change', async () => {
    const failed = (words: string): ToolRegistry => ({
      tools: [],
      withheld: [{ name: 'mcp__srv', reason: `server_failed: ${words}` }],
    });
    const { run, recorded } = runBoundTo(registry(), failed('one'));
    await refreshSurface(run);
    await refreshSurface({ ...run, services: { ...run.services, currentTools: () => failed('two') } });
    expect(recorded).toHaveLength(1);
  });
});
