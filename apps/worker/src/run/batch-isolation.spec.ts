import { describe, expect, it } from '@jest/globals';
import { call, says } from '#transcripts/testing';
import type { ToolResult } from '../tools/tool.js';
import { executeBatch } from './execute-batch.js';
import { openTestRun, type SpecTool } from './testing/open-test-run.js';

type Execute = SpecTool['execute'];

const tool = (name: string, readOnly: boolean, execute: Execute): SpecTool => ({
  name,
  description: name,
  parameters: '{"type":"object"}',
  readOnly,
  idempotent: readOnly,
  destructive: false,
  outputCap: 100,
  execute,
});
const fine: ToolResult = { outcome: 'ok', text: 'fine' };

/** Tools as they go wrong; one gives up only when its own time is over, as every tool of ours does. */
function troupe(readOnly: boolean, done: string[]): readonly SpecTool[] {
  const slowly = (ms: number, result: ToolResult): Promise<ToolResult> =>
    new Promise((resolve) => setTimeout(() => resolve(result), ms));
  return [
    tool('first', readOnly, async () => {
      const result = await slowly(40, fine);
      done.push('first');
      return result;
    }),
    tool('throws', readOnly, () => {
      throw new Error('thrown at once');
    }),
    tool('rejects', readOnly, () => Promise.reject(new TypeError('thrown later'))),
    tool('forbidden', readOnly, () => {
      done.push('forbidden');
      return Promise.resolve(fine);
    }),
    tool('hangs', readOnly, () => slowly(60, { outcome: 'error', text: 'no answer in time' })),
    tool('last', readOnly, async () => {
      const result = await slowly(20, fine);
      done.push('last');
      return result;
    }),
  ];
}

describe('a batch in which calls go wrong', () => {
  it.each([true, false])(
    '[L19] answers each of them, and lets every other one come to its end (at once: %s)',
    async (readOnly) => {
      const done: string[] = [];
      const unhandled: unknown[] = [];
      const listen = (reason: unknown): void => void unhandled.push(reason);
      process.on('unhandledRejection', listen);
      const tools = troupe(readOnly, done);
      const names = tools.map(({ name }) => name);
      const entries = names.filter((name) => name !== 'forbidden');
      const { run, store } = await openTestRun({
        tools,
        turn: says('', ...names.map((name, index) => call(name, `c${index}`, '{}'))),
        launch: { policy: { version: 1, kind: 'list', entries } },
        runtime: { approvalMode: 'yolo' },
      });

      expect(await executeBatch(run)).toBe('answered');
      await new Promise((resolve) => setImmediate(resolve));
      process.off('unhandledRejection', listen);
      const { events } = await store.readStream(run.log.meta.agentId, 0);
      const answers = events
        .filter(({ type }) => type === 'ToolCallFinished' || type === 'ToolCallRefused')
        .map(({ data }) => JSON.parse(data ?? '') as { name: string; outcome?: string; content?: string });
      const { messages, openBatch } = run.log.history.build();
      const results = messages.at(-1)?.blocks as readonly { name: string; isError: boolean }[];

      expect(answers.map(({ name }) => name).sort()).toEqual([...names].sort());
      expect(openBatch).toBeNull();
      // Recorded as each ends, sent in the order of the calls.
      expect(results.map(({ name, isError }) => [name, isError])).toEqual(
        names.map((name) => [name, name !== 'first' && name !== 'last']),
      );
      expect(Object.fromEntries(answers.map(({ name, content }) => [name, content]))).toMatchObject({
        throws: 'The tool failed: thrown at once',
        rejects: 'The tool failed: thrown later',
        hangs: 'no answer in time',
      });
      expect([...done].sort()).toEqual(['first', 'last']);
      if (readOnly) expect(done).toEqual(['last', 'first']);
      expect(unhandled).toEqual([]);
    },
  );
});
