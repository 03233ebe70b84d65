import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { TranscriptStore } from '#transcripts';
import { event, newId } from '#transcripts/testing';
import { exportTrees } from './export-trees.js';
import { linesOf, openLog, type OpenedLog, record, untilInSight } from './testing/opened-log.js';

const trees = 60;

/** A store that counts what it is asked, by the name of the question. */
function counting(store: TranscriptStore): {
  readonly store: TranscriptStore;
  readonly asked: Map<string, number>;
} {
  const asked = new Map<string, number>();
  const counted = new Proxy(store, {
    get: (target, name: string) => {
      const member: unknown = Reflect.get(target, name, target);
      if (typeof member !== 'function') return member;
      return (...given: readonly unknown[]): unknown => {
        asked.set(name, (asked.get(name) ?? 0) + 1);
        return Reflect.apply(member, target, given);
      };
    },
  });
  return { store: counted, asked };
}

describe('an export of many small sessions', () => {
  let opened: OpenedLog;
  beforeAll(async () => {
    opened = await openLog();
    for (let index = 0; index < trees; index += 1) {
      const [session, fork] = [newId(), newId()];
      const { store } = opened.log;
      const { version, hash: digest } = await record(
        store,
        session,
        event.sessionOpened({ sessionId: session }),
        event.messageAppended({ run: false }),
      );
      const last = await record(
        store,
        fork,
        event.agentLaunched({ agentId: fork, sessionId: session, parentId: session }),
        event.bootstrapRecorded({ parent: { agentId: session, version }, digest }),
        event.launchPromptRecorded(),
      );
      await untilInSight(store, fork, last.version);
    }
  }, 120_000);
  afterAll(() => opened.close());

  it('[E17] asks the database a few times in all, and not for each of their agents', async () => {
    const { store, asked } = counting(opened.log.store);
    const lines: string[] = [];
    for await (const line of exportTrees(store, null)) lines.push(line);
    expect(lines.filter((line) => line.startsWith('{"record":"event"'))).toHaveLength(5 * trees);
    expect(lines.filter((line) => line.startsWith('{"record":"agent_bootstrap"'))).toHaveLength(trees);
    expect([...asked.values()].reduce((sum, times) => sum + times, 0)).toBeLessThan(12);
  });

  it('writes the same as one that reads each agent alone', async () => {
    const { store } = counting(opened.log.store);
    const apart = new Proxy(store, {
      get: (target, name: string): unknown =>
        name === 'readStreams'
          ? () => Promise.reject(new Error('not together'))
          : (Reflect.get(target, name, target) as unknown),
    });
    expect(await linesOf(apart, null)).toEqual(await linesOf(opened.log.store, null));
  });
});
