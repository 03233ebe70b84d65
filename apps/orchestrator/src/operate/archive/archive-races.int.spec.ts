import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { setTimeout as pause } from 'node:timers/promises';
import type { PreparedLaunch } from '#agents';
import {
  type CommandResult,
  type DropStep,
  executeCommand,
  loadMeta,
  reopenSession,
  resumeAgent,
  verifyStream,
} from '#transcripts';
import { event, newId, testContext } from '#transcripts/testing';
import { ArchiveHarness, type Family } from './testing/archive-harness.js';

jest.setTimeout(180_000);

/** What may happen to a tree while it is archived. Each was decided on the tree as it stood before. */
interface Rival {
  readonly name: string;
  readonly prepare: (harness: ArchiveHarness, family: Family) => Promise<() => Promise<Answer>>;
}
interface Answer {
  readonly ok: boolean;
  readonly code: string | null;
}

const answerOf = (result: CommandResult): Answer => ({ ok: result.ok, code: result.ok ? null : result.code });

const rivals: readonly Rival[] = [
  {
    name: 'a message that resumes an ended fork',
    prepare: async ({ store, operation }, { forks: [fork = ''] }) => {
      const from = await loadMeta(store, fork);
      const message = { messageId: newId(), from: 'key:spec', text: 'Go on.' };
      return async () =>
        answerOf(
          await executeCommand(operation.tools, {
            stream: fork,
            from,
            context: testContext,
            decide: (meta) => resumeAgent({ message, mode: 'build', ceiling: meta.launch?.ceiling }, meta),
          }),
        );
    },
  },
  {
    name: 'a session that is reopened',
    prepare: async ({ store, operation }, { session }) => {
      const from = await loadMeta(store, session);
      const command = { stream: session, from, context: testContext, decide: reopenSession };
      return async () => answerOf(await executeCommand(operation.tools, command));
    },
  },
  {
    name: 'a keyed command that is sent again',
    prepare: async ({ store, operation }, { session }) => {
      const from = await loadMeta(store, session);
      const idempotency = { key: newId(), bodyHash: '0'.repeat(64) };
      const command = { stream: session, from, context: testContext, idempotency, decide: reopenSession };
      return async () => answerOf(await executeCommand(operation.tools, command));
    },
  },
];

async function launched(prepared: PreparedLaunch): Promise<Answer & { readonly agentId?: string }> {
  const result = await prepared.launch();
  return result.ok
    ? { ok: true, code: null, agentId: result.agentId }
    : { ok: false, code: result.rejection.code };
}

describe('a tree that is archived while something happens in it', () => {
  let harness: ArchiveHarness;

  beforeAll(async () => {
    harness = await ArchiveHarness.open();
  });
  afterAll(() => harness.close());

  const archive = (root: string, at: DropStep, act: () => Promise<void>) =>
    harness.archive({ sessions: [root] }, async (step) => (step === at ? act() : undefined));

  /** A tree whose session was open when a fork of it was judged, and is closed by now. */
  const withLaunch = async (): Promise<{ family: Family; prepared: PreparedLaunch }> => {
    const session = await harness.openSession();
    const fork = await harness.endedFork(session);
    await harness.untilRead();
    const prepared = await harness.prepareFork(session);
    await harness.record(session, event.sessionClosed());
    await harness.untilRead();
    return { family: { session, forks: [fork], all: [session, fork] }, prepared };
  };

  const expectWhole = async (family: Family): Promise<void> => {
    for (const agent of family.all)
      expect(await verifyStream(harness.store, agent)).toMatchObject({ ok: true });
    expect(await harness.files()).not.toContain(`${family.session}.jsonl`);
    expect(await harness.rowsAbout([family.session])).toMatchObject({ 'agent_roster.agent_id': 1 });
  };
  const expectGone = async (family: Family, others: readonly string[] = []): Promise<void> => {
    expect(await harness.rowsAbout([...family.all, ...others])).toEqual({});
    expect(await harness.files()).toContain(`${family.session}.jsonl`);
  };

  describe.each(rivals)('$name', ({ prepare }) => {
    it.each(['begun', 'emptied'] as const)(
      'wins when it is recorded before the end (%s): the tree is kept whole',
      async (step) => {
        const family = await harness.endedFamily(2);
        const act = await prepare(harness, family);
        let answer: Answer | null = null;
        const report = await archive(family.session, step, async () => {
          answer = await act();
        });
        expect(answer).toEqual({ ok: true, code: null });
        expect(report).toMatchObject({ archived: [], kept: [{ reasons: [{ reason: 'went_on' }] }] });
        await expectWhole(family);
      },
    );

    it('loses with an answer when it comes to the log behind the last look, and leaves nothing', async () => {
      const family = await harness.endedFamily(2);
      const act = await prepare(harness, family);
      let waiting = Promise.resolve<Answer>({ ok: true, code: 'NOT_SENT' });
      const report = await archive(family.session, 'locked', async () => {
        waiting = act();
        await untilAppendWaits(harness);
      });
      expect(report).toMatchObject({ archived: [{ root: family.session }], kept: [] });
      expect(await waiting).toEqual({ ok: false, code: 'AGENT_NOT_FOUND' });
      await expectGone(family);
    });

    it('loses with an answer when it comes later', async () => {
      const family = await harness.endedFamily(1);
      const act = await prepare(harness, family);
      await harness.archive({ sessions: [family.session] });
      expect(await act()).toEqual({ ok: false, code: 'AGENT_NOT_FOUND' });
      await expectGone(family);
    });
  });

  describe('a launch that was judged before the session was closed', () => {
    it.each(['begun', 'emptied'] as const)(
      'wins when it is recorded before the end (%s): the tree is kept whole',
      async (step) => {
        const { family, prepared } = await withLaunch();
        let agentId = '';
        const report = await archive(family.session, step, async () => {
          agentId = (await launched(prepared)).agentId ?? '';
        });
        expect(report.kept).toEqual([
          { root: family.session, reasons: [{ reason: 'inherited_from', subject: agentId }] },
        ]);
        await expectWhole(family);
        expect((await loadMeta(harness.store, agentId)).status).toBe('queued');
      },
    );

    it('loses with an answer when it comes to the log behind the last look, and leaves no agent and no record', async () => {
      const { family, prepared } = await withLaunch();
      let waiting = Promise.resolve<Answer>({ ok: true, code: 'NOT_SENT' });
      await archive(family.session, 'locked', async () => {
        waiting = launched(prepared);
        await untilAppendWaits(harness);
      });
      expect(await waiting).toEqual({ ok: false, code: 'AGENT_NOT_FOUND' });
      await expectGone(family);
      expect((await harness.store.readFirstEvents(null, family.session)).events).toEqual([]);
    });

    it('loses with an answer when it comes later', async () => {
      const { family, prepared } = await withLaunch();
      await harness.archive({ sessions: [family.session] });
      expect(await launched(prepared)).toEqual({ ok: false, code: 'AGENT_NOT_FOUND' });
      expect((await harness.store.readFirstEvents(null, family.session)).events).toEqual([]);
    });
  });

  it('stays whole when the connection of the archiving is cut in the middle', async () => {
    const family = await harness.endedFamily(2);
    for (const step of ['emptied', 'locked'] as const) {
      const cut = archive(family.session, step, async () => {
        await harness.pool.query(
          `select pg_terminate_backend(pid) from pg_locks where locktype = 'advisory' and pid <> pg_backend_pid()
           and database = (select oid from pg_database where datname = current_database())
           and (classid::bigint << 32 | objid::bigint) = hashtextextended('offshoot archive', 0)`,
        );
      });
      await expect(cut).rejects.toThrow();
      expect(Object.keys(await harness.rowsAbout(family.all))).toContain('event.stream');
      for (const agent of family.all)
        expect(await verifyStream(harness.store, agent)).toMatchObject({ ok: true });
    }
    expect(await harness.archive({ sessions: [family.session] })).toMatchObject({ kept: [] });
    await expectGone(family);
  });

  it('[LOG-4] is whole or gone, never half, when everything comes at once; and nobody is told that a lost command was kept', async () => {
    const trees = await Promise.all(Array.from({ length: 12 }, () => withLaunch()));
    const acts = await Promise.all(
      trees.flatMap(({ family }) => rivals.map(({ prepare }) => prepare(harness, family))),
    );
    const report = harness.archive({ sessions: trees.map(({ family }) => family.session) });
    const all = [
      ...acts,
      ...trees.map(
        ({ prepared }) =>
          () =>
            launched(prepared),
      ),
    ];
    const answers = Promise.all(
      all.map(async (act, index) => {
        await pause((index * 37) % 1_500);
        return act();
      }),
    );
    for (const { ok, code } of await answers)
      expect(ok || code === 'AGENT_NOT_FOUND' || code === 'SESSION_OPEN').toBe(true);
    const gone = new Set((await report).archived.map(({ root }) => root));
    await harness.untilRead();
    for (const { family } of trees) {
      const firsts = (await harness.store.readFirstEvents(null, family.session)).events;
      if (gone.has(family.session)) expect(firsts).toEqual([]);
      else
        for (const agent of family.all)
          expect(await verifyStream(harness.store, agent)).toMatchObject({ ok: true });
    }
    expect((await harness.findings()).filter(({ kind }) => kind !== 'log_held_back')).toEqual([]);
  });
});

/** Waits until a statement of the store waits for the lock on the log. */
async function untilAppendWaits({ pool }: ArchiveHarness): Promise<void> {
  for (;;) {
    const { rows } = await pool.query(
      `select 1 from pg_locks l join pg_stat_activity a on a.pid = l.pid where not l.granted and l.relation = 'event'::regclass
         and (a.query like 'insert into event%' or a.query like 'with e as materialized%')`,
    );
    if (rows.length > 0) return;
    await pause(5);
  }
}
