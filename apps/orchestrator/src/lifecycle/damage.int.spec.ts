import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import {
  type AgentStatus,
  cancelAgent,
  executeCommand,
  loadMeta,
  queueMessage,
  requestRevival,
  verifyStream,
} from '#transcripts';
import { newEvent, newId, testContext } from '#transcripts/testing';
import { rebuildProjections } from '../operate/rebuild-projections.js';
import { ArchiveHarness } from '../operate/archive/testing/archive-harness.js';

const patience = 120_000;

describe('the readers of a log with a damaged event', () => {
  let harness: ArchiveHarness;
  let session: string;

  beforeAll(async () => {
    harness = await ArchiveHarness.open();
    await harness.stopReaders();
  }, patience);
  beforeEach(async () => {
    harness.startReaders();
    session = await harness.openSession();
    await harness.untilRead();
    await harness.stopReaders();
  });
  afterEach(async () => {
    await harness.stopReaders();
    await harness.pool.query(
      'truncate event, blob_chunk, agent_roster, agent_usage, dispatch, grandchild, checkpoint',
    );
  });
  afterAll(() => harness.close());

  /** Alters what is stored and answers how to restore it. */
  async function damage(stream: string, type: string): Promise<() => Promise<void>> {
    const where = 'where stream = $1 and type = $2';
    const { rows } = await harness.pool.query<{ data: string }>(`select data from event ${where}`, [
      stream,
      type,
    ]);
    await harness.pool.query(`update event set data = '{"forged":true}' ${where}`, [stream, type]);
    return async () => {
      await harness.pool.query(`update event set data = $3 ${where}`, [stream, type, rows[0]?.data]);
    };
  }
  /** An event whose payload is kept in the blob table. */
  const large = (mark: string) =>
    newEvent({ type: 'LaunchRefused', data: JSON.stringify({ text: mark.repeat(2 * 1024 * 1024) }) });
  const read = async (): Promise<void> => {
    harness.startReaders();
    await harness.untilRead();
  };
  const statusOf = async (agentId: string): Promise<AgentStatus> =>
    (await loadMeta(harness.store, agentId)).status;
  const listed = async (agentId: string) => {
    const { rows } = await harness.pool.query<{ status: string; summary: string }>(
      'select status, summary from agent_roster where agent_id = $1',
      [agentId],
    );
    return rows[0]?.status;
  };
  const typesOf = async (stream: string): Promise<readonly string[]> =>
    (await harness.store.readStream(stream)).events.map(({ type }) => type);
  const told = async () => (await typesOf(session)).filter((type) => type === 'OutcomeDelivered').length;
  const blocks = async (agentId: string) =>
    (await typesOf(agentId)).filter((type) => type === 'RevivalBlocked').length;
  const isDispatched = async (agentId: string) =>
    (await harness.pool.query('select 1 from dispatch where agent_id = $1', [agentId])).rowCount === 1;
  const revive = (stream: string) =>
    executeCommand(harness.operation.tools, { stream, context: testContext, decide: requestRevival });

  it(
    '[LOG-5] go on behind it, and block its agent once, in the log, in lists and for dispatch',
    async () => {
      const broken = await harness.fork(session);
      await damage(broken, 'LaunchPromptRecorded');
      const sound = await harness.endedFork(session);
      await read();
      expect(await listed(broken)).toBe('blocked');
      expect(await isDispatched(broken)).toBe(false);
      expect([await listed(sound), await told()]).toEqual(['completed', 1]);
      await harness.stopReaders();
      await harness.pool.query(`delete from checkpoint where reader in ('family', 'delivery', 'dispatch')`);
      await read();
      expect(await blocks(broken)).toBe(1);
      expect(await loadMeta(harness.store, broken)).toMatchObject({
        status: 'blocked',
        blocked: { reason: 'chain_broken', detail: expect.stringContaining('version 3: altered') },
        damage: { version: 3, fault: 'altered' },
      });
    },
    patience,
  );

  it(
    '[LOG-5] go on behind a payload of the blob table that is damaged, and one that is gone',
    async () => {
      const [spoilt, gone] = [await harness.fork(session), await harness.fork(session)];
      await harness.record(spoilt, large('a'));
      await harness.pool.query(`update blob_chunk set bytes = bytes || 'x'`);
      await harness.record(gone, large('b'));
      await harness.pool.query(
        'delete from blob_chunk where hash = (select blob from event where stream = $1 and blob is not null)',
        [gone],
      );
      const sound = await harness.endedFork(session);
      await read();
      expect([await listed(spoilt), await listed(gone), await listed(sound)]).toEqual([
        'blocked',
        'blocked',
        'completed',
      ]);
      expect(await told()).toBe(1);
    },
    patience,
  );

  it(
    '[LOG-5] let a read model be built again over it',
    async () => {
      const broken = await harness.fork(session);
      await read();
      await damage(broken, 'AgentLaunched');
      await harness.record(broken, large('a'));
      await harness.pool.query(`update blob_chunk set bytes = bytes || 'x'`);
      const rebuilt = await rebuildProjections(harness.operation, null);
      expect(rebuilt.map(({ name }) => name)).toContain('agent-roster');
      expect(await listed(session)).toBe('idle');
    },
    patience,
  );

  it(
    '[LOG-5] a command about its agent is refused, and records that it is blocked; a cancel is taken',
    async () => {
      const broken = await harness.endedFork(session);
      await damage(broken, 'TurnRecorded');
      const message = { messageId: newId(), from: 'key:k1', text: 'go on' };
      const refusal = await executeCommand(harness.operation.tools, {
        stream: broken,
        context: testContext,
        decide: (meta) => queueMessage(message, meta),
      });
      expect(refusal).toMatchObject({ ok: false, code: 'AGENT_DAMAGED' });
      expect(await typesOf(broken)).not.toContain('MessageQueued');
      expect(await blocks(broken)).toBe(1);
      const cancelled = await executeCommand(harness.operation.tools, {
        stream: broken,
        context: testContext,
        evenDamaged: true,
        decide: (meta) => cancelAgent({ by: 'key:k1', reason: 'cancelled' }, meta),
      });
      expect(cancelled.ok).toBe(true);
      expect(await statusOf(broken)).toBe('cancelled');
    },
    patience,
  );

  it(
    '[LOG-5] [RUN-5] an outcome that could not be read is told once it can, and its agent is revived by nobody before',
    async () => {
      const fork = await harness.endedFork(session);
      const restore = await damage(fork, 'AgentCompleted');
      await read();
      expect([await listed(fork), await told()]).toEqual(['blocked', 0]);
      expect(await revive(fork)).toMatchObject({ ok: false, code: 'AGENT_DAMAGED' });
      await restore();
      expect(await revive(fork)).toMatchObject({ ok: true });
      await harness.untilRead();
      expect([await statusOf(fork), await listed(fork), await told()]).toEqual(['completed', 'completed', 1]);
      expect(await verifyStream(harness.store, fork)).toMatchObject({ ok: true });
    },
    patience,
  );

  it(
    '[LOG-5] [RUN-5] a parent that cannot be read is told once it can, of each child once',
    async () => {
      const before = await harness.endedFork(session);
      await read();
      expect(await told()).toBe(1);
      const restore = await damage(session, 'OutcomeDelivered');
      const after = await harness.endedFork(session);
      await harness.untilRead();
      expect(await told()).toBe(1);
      await restore();
      expect(await revive(session)).toMatchObject({ ok: true });
      await harness.untilRead();
      expect([...(await loadMeta(harness.store, session)).delivered]).toEqual([`${before}/1`, `${after}/1`]);
      expect(await told()).toBe(2);
    },
    patience,
  );
});

describe('a fold that is kept', () => {
  it(
    '[LOG-5] is not believed when its last event is damaged by now',
    async () => {
      const harness = await ArchiveHarness.open();
      try {
        // A reader that met the damage would say so in the stream.
        await harness.stopReaders();
        const session = await harness.openSession();
        const { cache, tools } = harness.operation;
        expect((await cache.current(session)).status).toBe('idle');
        expect((await tools.current(session)).status).toBe('idle');
        await harness.pool.query(`update event set actor = 'key:other' where stream = $1 and version = 2`, [
          session,
        ]);
        expect((await cache.current(session)).status).toBe('blocked');
        expect((await tools.current(session)).status).toBe('blocked');
      } finally {
        await harness.close();
      }
    },
    patience,
  );
});
