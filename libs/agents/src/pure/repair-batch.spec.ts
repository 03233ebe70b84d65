import { describe, expect, it } from '@jest/globals';
import type { AgentEvent } from '#transcripts';
import { call, callKey, event, metaOf, says } from '#transcripts/testing';
import { neverStarted, outcomeUnknown, repairBatch } from './repair-batch.js';

const batch = event.turnRecorded({
  message: says('', call('edit', 'c0'), call('glob', 'c1'), call('write_file', 'c2')),
});
const key = (index: number) => callKey(index, 1, `c${index}`);
const started = (index: number, repeatable = false) =>
  event.toolCallStarted({ call: key(index), repeatable });

function repair(...events: readonly AgentEvent[]) {
  const meta = metaOf(event.agentLaunched(), event.runStarted(), batch, ...events, event.runInterrupted());
  return repairBatch(meta, 2).map(({ data, type }) =>
    type === 'ToolCallFinished' ? [data.call.index, data.outcome, data.content, data.epoch] : [type],
  );
}

describe('repairBatch', () => {
  it('[L01] a call that never started is answered as skipped, started or allowed alike', () => {
    expect(repair(event.toolCallAllowed({ call: key(1) }))).toEqual(
      [0, 1, 2].map((at) => [at, 'skipped', neverStarted, 2]),
    );
  });
  it('[C01] [RUN-2] a started call is not run again: its outcome is said to be unknown', () => {
    expect(repair(started(0))[0]).toEqual([0, 'unknown', outcomeUnknown, 2]);
  });
  it('[C01] a started call of a repeatable tool is left to run again', () => {
    expect(repair(started(1, true)).map(([at]) => at)).toEqual([0, 2]);
  });
  it('[C17] results and refusals that were recorded are kept', () => {
    const done = [
      started(0),
      event.toolCallFinished({ call: key(0) }),
      event.toolCallRefused({ call: key(2) }),
    ];
    expect(repair(...done).map(([at]) => at)).toEqual([1]);
  });
  it('a call that a person is asked about or has decided on keeps its place', () => {
    const asked = [0, 1, 2].map((at) => event.approvalRequested({ approvalId: `a${at}`, call: key(at) }));
    const decided = [
      event.approvalResolved({ approvalId: 'a0' }),
      event.approvalResolved({ approvalId: 'a1', decision: 'deny' }),
    ];
    expect(repair(...asked, ...decided)).toEqual([]);
  });
  it('an approved call that was started is a started call', () => {
    const approved = [event.approvalRequested({ call: key(0) }), event.approvalResolved(), started(0)];
    expect(repair(...approved)[0]).toEqual([0, 'unknown', outcomeUnknown, 2]);
  });
  it('[RUN-2] of an ended agent that is resumed, nothing asked or approved is executed', () => {
    const meta = metaOf(
      event.agentLaunched(),
      event.runStarted(),
      batch,
      event.approvalRequested({ call: key(0) }),
      event.approvalResolved(),
      started(1),
      event.agentCancelled(),
      event.agentResumed(),
    );
    expect(repairBatch(meta, 2).map(({ data }) => data)).toMatchObject([
      { outcome: 'skipped' },
      { outcome: 'unknown' },
      { outcome: 'skipped' },
    ]);
  });
  it('a batch that is answered needs no repair', () => {
    expect(repair(...[0, 1, 2].map((at) => event.toolCallFinished({ call: key(at) })))).toEqual([]);
  });
});
