import { describe, expect, it } from '@jest/globals';
import { InMemoryTranscriptStore, says } from '#transcripts/testing';
import { openTestRun } from './testing/open-test-run.js';

describe('the log of a run', () => {
  it('[LOG-5] ends the run when what is stored is not what it stands on, instead of trying for ever', async () => {
    const store = new InMemoryTranscriptStore();
    const { run } = await openTestRun({ store, tools: [], turn: says('nothing') });
    const { version } = run.log.meta.head;
    // As the database answers where the hash of the last event was altered.
    let tries = 0;
    store.append = () => {
      tries += 1;
      if (tries > 20) throw new Error('It tries for ever.');
      return Promise.resolve({ ok: false, reason: 'conflict', version });
    };
    await expect(run.log.append(() => ({ ok: true, events: [wait] }))).rejects.toMatchObject({
      code: 'CHAIN_BROKEN',
    });
  });
});

const wait = { type: 'RunReleased', data: { runId: 'r', epoch: 1, reason: 'idle' } } as const;
