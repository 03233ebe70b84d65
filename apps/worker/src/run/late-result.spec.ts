import { describe, expect, it } from '@jest/globals';
import { call, says } from '#transcripts/testing';
import type { ToolResult } from '../tools/tool.js';
import { executeBatch } from './execute-batch.js';
import { openTestRun, type SpecTool } from './testing/open-test-run.js';

/** Tool that ends when it is told to, whatever becomes of its run. */
function deafTool() {
  let end = (_result: ToolResult): void => undefined;
  let begun = (): void => undefined;
  const hasBegun = new Promise<void>((resolve) => (begun = resolve));
  const deaf: SpecTool = {
    ...{ name: 'deaf', description: 'deaf', parameters: '{"type":"object"}', outputCap: 100 },
    ...{ readOnly: false, idempotent: false, destructive: false },
    execute: () => {
      begun();
      return new Promise((resolve) => (end = resolve));
    },
  };
  return { deaf, hasBegun, end: () => end({ outcome: 'ok', text: 'too late' }) };
}

describe('a result that comes after its run was stopped', () => {
  it('[L17] is dropped and counted, for the tenant of its agent', async () => {
    const { deaf, hasBegun, end } = deafTool();
    const stopping = new AbortController();
    const late: string[] = [];
    const { run, store } = await openTestRun({
      tools: [deaf],
      turn: says('', call('deaf', 'c0', '{}')),
      runtime: { approvalMode: 'yolo' },
      services: { onLateResult: (tenant) => void late.push(tenant) },
      signal: stopping.signal,
    });
    const over = executeBatch(run);
    await hasBegun;
    expect(late).toEqual([]);
    stopping.abort(new Error('cancelled'));
    end();
    await expect(over).rejects.toMatchObject({ code: 'RUN_LOST' });
    expect(late).toEqual(['tenant-a']);
    const { events } = await store.readStream(run.log.meta.agentId, 0);
    expect(events.map(({ type }) => type)).not.toContain('ToolCallFinished');
  });
});
