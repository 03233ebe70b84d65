import { describe, expect, it } from '@jest/globals';
import { type AgentEvent, evolve } from '#transcripts';
import { event, metaOf, recorded } from '#transcripts/testing';
import { concernsDispatch, dispatchRow } from './apply-to-dispatch.js';

const facts: readonly AgentEvent[] = Object.values(event).map((build) => build());
const histories = facts.flatMap((third) => [
  [event.agentLaunched(), event.runStarted(), third],
  [event.sessionOpened(), event.messageAppended({ run: true }), third],
]);

describe('what dispatch need not look at', () => {
  const cache = { latest: () => Promise.resolve(metaOf(event.sessionOpened())) };

  it('[Q01] changes no row of any agent, whatever happened to it before', async () => {
    for (const history of histories) {
      const before = metaOf(...history);
      const version = before.head.version + 1;
      for (const fact of facts) {
        const decoded = recorded([...history, fact]).at(-1);
        if (decoded === undefined || concernsDispatch(decoded.record)) continue;
        expect([fact.type, version, await dispatchRow(evolve(before, decoded), cache)]).toEqual([
          fact.type,
          version,
          await dispatchRow(before, cache),
        ]);
      }
    }
  });

  it('leaves out the facts of a turn and none that claims, ends or launches', () => {
    const passed = facts.map((fact) => recorded([fact])[0]?.record).filter((record) => record !== undefined);
    const types = passed.filter((record) => !concernsDispatch(record)).map(({ type }) => type);
    expect(types).toEqual(expect.arrayContaining(['TurnRecorded', 'ToolCallStarted', 'ToolCallFinished']));
    expect(types).not.toEqual(expect.arrayContaining(['AgentLaunched']));
    expect(types).not.toEqual(expect.arrayContaining(['RunStarted']));
  });
});
