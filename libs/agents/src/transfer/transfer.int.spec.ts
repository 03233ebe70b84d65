import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { importFile, type ImportReport, loadMeta, type TranscriptStore, verifyStream } from '#transcripts';
import { event, newAppend, newEvent, newId, says, wholeStream } from '#transcripts/testing';
import { exportTrees } from './export-trees.js';
import {
  asFile,
  linesOf,
  openLog,
  type OpenedLog,
  parsed,
  record,
  resealed,
  untilInSight,
  withoutPlace,
} from './testing/opened-log.js';

const patience = 60_000;

/** Texts that a careless copy changes: NUL, a lone surrogate, spelled numbers, key order, other line ends. */
const fragile =
  String.raw`{"zebra":"\u0000","alpha":"\ud800","n":1.10,"big":9007199254740993,"e":1e2,"line":"` +
  '\u2028"}';

interface Family {
  readonly session: string;
  readonly fork: string;
  readonly ended: string;
}

/** A session with a fork at work and one that has ended; what they hold would not survive a careless copy. */
async function makeFamily(store: TranscriptStore): Promise<Family> {
  const [session, fork, ended] = [newId(), newId(), newId()];
  await record(
    store,
    session,
    event.sessionOpened({ sessionId: session }),
    event.messageAppended({ run: false }),
  );
  const head = await record(store, session, newEvent({ type: 'FutureFact', data: fragile }));
  for (const agentId of [fork, ended]) {
    await record(
      store,
      agentId,
      event.agentLaunched({ agentId, sessionId: session, parentId: session }),
      event.bootstrapRecorded({ parent: { agentId: session, version: head.version }, digest: head.hash }),
      event.launchPromptRecorded(),
    );
    await record(
      store,
      agentId,
      event.runStarted(),
      event.turnRecorded({ message: says('x'.repeat(1_500_000)) }),
    );
  }
  const last = await record(store, ended, event.agentCompleted());
  await untilInSight(store, ended, last.version);
  return { session, fork, ended };
}

describe('what is exported', () => {
  let source: OpenedLog;
  let target: OpenedLog;
  let family: Family;
  let lines: string[];

  const take = (file: readonly string[]): Promise<ImportReport> =>
    importFile({ store: target.log.store, pool: target.pool, newId }, asFile(file));
  const streams = () => [family.session, family.fork, family.ended];

  beforeAll(async () => {
    [source, target] = await Promise.all([openLog(), openLog()]);
  }, patience);
  beforeEach(async () => {
    family = await makeFamily(source.log.store);
    lines = await linesOf(source.log.store, family.session);
  });
  afterAll(async () => {
    await source.close();
    await target.close();
  });

  it('[LOG-3] is imported elsewhere byte for byte, with its versions, hashes and times, and verifies', async () => {
    expect((await take(lines)).trees).toMatchObject([{ outcome: 'imported', agents: 3, lost: [] }]);
    for (const stream of streams()) {
      const there = (await wholeStream(target.log.store, stream)).map(withoutPlace);
      expect(there).toEqual((await wholeStream(source.log.store, stream)).map(withoutPlace));
      expect(await verifyStream(target.log.store, stream)).toMatchObject({ ok: true });
    }
    expect((await loadMeta(target.log.store, family.fork)).status).toBe('running');
  });

  it('holds the history of each fork in full, and every record one line with a sum', () => {
    const bootstraps = lines.map(parsed).filter(({ record: kind }) => kind === 'agent_bootstrap');
    expect(bootstraps.map(({ messages }) => messages)).toEqual(
      Array.from({ length: 2 }, () => [{ role: 'user', blocks: [{ type: 'text', text: 'hello' }] }]),
    );
    expect(lines.every((line) => /,"sum":"[0-9a-f]{64}"\}\n$/.test(line))).toBe(true);
    expect(lines.map((line) => line.indexOf('\n') === line.length - 1)).not.toContain(false);
    expect(parsed(lines.at(-1) ?? '')).toMatchObject({ record: 'end', trees: 1, agents: 3, events: 14 });
  });

  it('is the log at one place: what is recorded while the file is written stays out', async () => {
    const export_ = exportTrees(source.log.store, family.session);
    const seen = [(await export_.next()).value as string];
    await record(source.log.store, family.fork, event.agentCompleted());
    await record(source.log.store, newId(), event.sessionOpened());
    for await (const line of export_) seen.push(line);
    expect(seen).toEqual(lines);
  });

  it('imported twice changes nothing', async () => {
    await take(lines);
    const { rows: before } = await target.pool.query('select max(position) as last from event');
    expect((await take(lines)).trees).toMatchObject([{ outcome: 'present' }]);
    expect((await target.pool.query('select max(position) as last from event')).rows).toEqual(before);
  });

  it('is refused as a whole when an id stands for other content here', async () => {
    await target.log.store.append(newAppend({ stream: family.ended }));
    const { trees } = await take(lines);
    expect(trees).toMatchObject([{ outcome: 'refused', code: 'AGENT_EXISTS' }]);
    expect(trees[0]?.message).toContain(family.ended);
    expect([...(await target.log.store.readHeads(streams())).keys()]).toEqual([family.ended]);
  });

  it('is refused as a whole when a chain does not verify, and its neighbours are taken', async () => {
    const other = await makeFamily(source.log.store);
    const both = await linesOf(source.log.store, null);
    const index = both.findIndex((line) => line.includes('FutureFact') && line.includes(family.session));
    const file = both.with(index, resealed(both[index] ?? '', { data: '{"n":1.1}' }));
    const { trees } = await take(file);
    const of = (root: string) => trees.find((tree) => tree.root === root);
    expect(of(family.session)).toMatchObject({ outcome: 'refused', code: 'CHAIN_BROKEN' });
    expect(of(other.session)).toMatchObject({ outcome: 'imported' });
    expect(await target.log.store.readHeads(streams())).toEqual(new Map());
  });

  it('[POL-6] is refused as a whole when a fork points at a history that is not here as it was', async () => {
    const forks = lines.filter((line) => !line.includes(`"stream":"${family.session}"`));
    const tree = resealed(lines[1] ?? '', {
      agents: [
        { agentId: family.fork, events: 5 },
        { agentId: family.ended, events: 6 },
      ],
    });
    const end = resealed(lines.at(-1) ?? '', { agents: 2, events: 11 });
    const { trees } = await take(forks.with(1, tree).with(-1, end));
    expect(trees).toMatchObject([{ outcome: 'refused', code: 'BOOTSTRAP_MISSING' }]);
    expect(await target.log.store.readHeads(streams())).toEqual(new Map());
  });

  it('torn, is taken up to the tear: what is cut short is blocked, and what was lost is named', async () => {
    const lastTurn = lines.findLastIndex((line) => line.includes('"type":"TurnRecorded"'));
    const cut = [...lines.slice(0, lastTurn), (lines[lastTurn] ?? '').slice(0, 1_000_000)];
    const report = await take(cut);
    const torn = parsed(lines[lastTurn] ?? '')['stream'] as string;
    const last = torn === family.ended ? 6 : 5;
    expect(report.tear).toEqual({ line: lastTurn + 1, reason: 'cut' });
    expect(report.trees).toMatchObject([
      { outcome: 'recovered', lost: [{ agentId: torn, from: 5, to: last }] },
    ]);
    const meta = await loadMeta(target.log.store, torn);
    expect(meta).toMatchObject({ status: 'blocked', blocked: { reason: 'import_torn' } });
    expect(await verifyStream(target.log.store, torn)).toMatchObject({ ok: true, head: { version: 5 } });
  });

  it('torn inside a launch, leaves that agent out: nothing is half created', async () => {
    const lastLaunch = lines.findLastIndex((line) => line.includes('"type":"AgentLaunched"'));
    const report = await take(lines.slice(0, lastLaunch + 1));
    const lost = parsed(lines[lastLaunch] ?? '')['stream'] as string;
    expect(report).toMatchObject({ tear: { reason: 'ended_early' }, trees: [{ outcome: 'recovered' }] });
    expect(report.trees[0]?.lost).toMatchObject([{ agentId: lost, from: 1 }]);
    expect((await target.log.store.readHeads(streams())).has(lost)).toBe(false);
  });

  it('[E19] keeps events of types and schemas that this release does not know', async () => {
    await record(source.log.store, family.fork, newEvent({ type: 'AgentCompleted', schema: 99 }));
    await take(await linesOf(source.log.store, family.session));
    const last = (await wholeStream(target.log.store, family.fork)).at(-1);
    expect(last).toMatchObject({ type: 'AgentCompleted', schema: 99 });
  });

  it('refuses a file that is none of ours', async () => {
    await expect(take(['{"hello":1}\n'])).rejects.toMatchObject({ code: 'FILE_NOT_PORTABLE' });
    await expect(take([])).rejects.toMatchObject({ code: 'FILE_NOT_PORTABLE' });
  });
});
