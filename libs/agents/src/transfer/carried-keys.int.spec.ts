import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { createHash } from 'node:crypto';
import { encodeEvent, importFile, type ImportReport, type TranscriptStore } from '#transcripts';
import { event, newAppend, newId, testContext } from '#transcripts/testing';
import { asFile, linesOf, openLog, type OpenedLog, untilInSight } from './testing/opened-log.js';

const patience = 60_000;

describe('the idempotency keys of commands', () => {
  let source: OpenedLog;
  let target: OpenedLog;
  let session: string;
  let key: string;
  const bodyHash = createHash('sha256').update('body').digest('hex');
  const bodyHashElsewhere = createHash('sha256').update('another').digest('hex');

  beforeAll(async () => {
    [source, target] = await Promise.all([openLog(), openLog()]);
  }, patience);
  beforeEach(async () => {
    [session, key] = [newId(), newId()];
    await open(source.log.store, session, bodyHash);
  });
  afterAll(async () => {
    await source.close();
    await target.close();
  });

  it('[LOG-1] move with what they recorded: a command sent again elsewhere has the one outcome', async () => {
    await move();
    expect(await target.log.store.findIdempotent('default', key)).toEqual({
      stream: session,
      version: 1,
      bodyHash,
    });
    const again = await open(target.log.store, newId(), bodyHash);
    expect(again).toMatchObject({ ok: false, reason: 'duplicate', outcome: { stream: session } });
  });

  it('that stand for another command there keep standing for it, and the report says so', async () => {
    const other = newId();
    await open(target.log.store, other, bodyHashElsewhere);
    const { trees } = await move();
    expect(trees).toMatchObject([{ outcome: 'imported', takenKeys: [{ agentId: session, version: 1 }] }]);
    expect(await target.log.store.findIdempotent('default', key)).toMatchObject({ stream: other });
  });

  async function open(store: TranscriptStore, stream: string, body: string) {
    const append = newAppend({
      stream,
      events: [encodeEvent(event.sessionOpened({ sessionId: stream }), newId())],
      context: { ...testContext, tenant: 'default' },
      idempotency: { key, bodyHash: body },
    });
    const result = await store.append(append);
    if (result.ok) await untilInSight(store, stream, 1);
    return result;
  }

  async function move(): Promise<ImportReport> {
    const lines = await linesOf(source.log.store, session);
    return importFile({ store: target.log.store, pool: target.pool, newId }, asFile(lines));
  }
});
