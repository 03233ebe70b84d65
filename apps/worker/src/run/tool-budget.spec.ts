import { describe, expect, it } from '@jest/globals';
import { defaultLimits } from '#agents';
import { call, says } from '#transcripts/testing';
import { executeBatch } from './execute-batch.js';
import { judgeProgress } from './judge-progress.js';
import { openTestRun, type SpecTool } from './testing/open-test-run.js';

/** The outcomes of a batch of calls under a limit, and how many of them ran. */
async function outcomesOf(calls: number, maxToolCalls: number, readOnly: boolean) {
  let ran = 0;
  const tool: SpecTool = {
    name: 'reader',
    description: 'reads',
    parameters: '{"type":"object"}',
    readOnly,
    idempotent: false,
    destructive: false,
    outputCap: 100,
    execute: () => {
      ran += 1;
      return Promise.resolve({ outcome: 'ok', text: 'read' });
    },
  };
  const batch = Array.from({ length: calls }, (_, index) => call('reader', `c${index}`, '{}'));
  const { run, store } = await openTestRun({
    tools: [tool],
    turn: says('', ...batch),
    launch: { limits: { maxToolCalls } },
    runtime: { approvalMode: 'yolo' },
  });
  expect(await executeBatch(run)).toBe('answered');
  const { events } = await store.readStream(run.log.meta.agentId, 0);
  const ends = events.filter(({ type }) => type === 'ToolCallFinished');
  const outcomes = ends.map(({ data }) => (JSON.parse(data ?? '') as { outcome: string }).outcome);
  return { outcomes, ran, verdict: judgeProgress(run.log.meta, run.limits, 0) };
}

describe('[RUN-4] the limit of tool calls', () => {
  it.each([true, false])(
    'answers the calls beyond it without running them (read-only: %s)',
    async (readOnly) => {
      const { outcomes, ran, verdict } = await outcomesOf(3, 2, readOnly);
      expect([...outcomes].sort()).toEqual(['denied', 'ok', 'ok']);
      expect(ran).toBe(2);
      expect(verdict).toBeNull();
    },
  );

  it('of zero runs nothing, and the agent goes on in words', async () => {
    const { outcomes, ran, verdict } = await outcomesOf(1, 0, true);
    expect([outcomes, ran, verdict]).toEqual([['denied'], 0, null]);
  });

  it('ends an agent that insists', async () => {
    const { verdict } = await outcomesOf(10, 0, true);
    expect(verdict).toEqual({ reason: 'tool_call_limit' });
  });

  it('is not touched before the first turn', async () => {
    const { run } = await openTestRun({
      tools: [],
      turn: says('hi'),
      launch: { limits: { maxToolCalls: 0 } },
    });
    expect(judgeProgress(run.log.meta, defaultLimits, 0)).toBeNull();
  });
});
