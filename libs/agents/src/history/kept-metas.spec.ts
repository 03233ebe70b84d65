import { describe, expect, it } from '@jest/globals';
import { type EventData, isSound, loadMeta } from '#transcripts';
import { event, InMemoryTranscriptStore } from '#transcripts/testing';
import { opened } from '../launch/testing/opened-session.js';
import { ChainBrokenError, keptMetas } from './loaded-agent.js';

describe('a session that is read on from an earlier claim', () => {
  const renamed = (model: string) => event.runtimeChanged({ changes: { model } });

  it('[LOG-3] is verified: what was altered is not folded, be it behind what is kept or before anything is', async () => {
    const { store, sessionId, record } = await opened();
    let altered = 0;
    const kept = keptMetas(alteredBy(store, () => altered));
    await kept.upTo(sessionId);
    await record(sessionId, renamed('scripted:next'));
    altered = 2;
    await expect(kept.upTo(sessionId)).rejects.toThrow(ChainBrokenError);
    altered = 1;
    await expect(keptMetas(alteredBy(store, () => altered)).upTo(sessionId)).rejects.toThrow(
      ChainBrokenError,
    );
  });

  it('is what the whole session folds to, with every change of its runtime', async () => {
    const { store, sessionId, record } = await opened();
    const kept = keptMetas(store);
    for (const model of ['scripted:b', 'scripted:c', 'scripted:d']) {
      await record(sessionId, renamed(model));
      const now: { runtime: EventData<'SessionOpened'>['runtime'] | null } = await kept.upTo(sessionId);
      expect(now.runtime?.model).toBe(model);
      expect(now).toEqual(await loadMeta(store, sessionId));
    }
  });
});

/** The store with the payload of one version changed under its readers; 0 changes nothing. */
function alteredBy(store: InMemoryTranscriptStore, version: () => number): InMemoryTranscriptStore {
  const altered = new InMemoryTranscriptStore();
  altered.readStream = async (...asked) => {
    const page = await store.readStream(...asked);
    const events = page.events.map((one) =>
      one.version === version() && isSound(one) ? { ...one, data: '{"forged":1}' } : one,
    );
    return { ...page, events };
  };
  return altered;
}
