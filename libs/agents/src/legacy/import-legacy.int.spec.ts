import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  createDataSource,
  createPool,
  loadMeta,
  openPostgresLog,
  type PostgresLog,
  requestRevival,
  executeCommand,
  runMigrations,
  verifyStream,
} from '#transcripts';
import { newAppend, newId, testContext } from '#transcripts/testing';
import { createTestDatabase, type TestDatabase } from '../../../../test/support/test-database.js';
import { loadAgent } from '../history/loaded-agent.js';
import { importLegacyDir, type LegacyReport, type LegacyTools } from './import-legacy-dir.js';

jest.setTimeout(60_000);

const base = { timestamp: '2026-05-04T10:00:00.000Z', sessionId: 's', cwd: '/work', version: '0.24.0' };
const text = (role: 'user' | 'model', words: string) => ({ role, parts: [{ text: words }] });

/** The lines of a legacy fork that read a file and answered. */
function transcript(): object[] {
  const call = { functionCall: { id: 'c1', name: 'read_file', args: { path: 'a.ts' } } };
  const result = { functionResponse: { id: 'c1', name: 'read_file', response: { output: 'text of a' } } };
  const history = [text('user', 'What is in a?'), text('model', 'I will look.')];
  const lines = [
    {
      type: 'system',
      subtype: 'agent_bootstrap',
      systemPayload: { kind: 'fork', history, systemInstruction: 'You help.', tools: ['read_file'] },
    },
    { type: 'user', message: text('user', 'Begin.') },
    {
      type: 'system',
      subtype: 'agent_launch_prompt',
      systemPayload: { displayText: 'You are a fork. Look at a.' },
    },
    { type: 'assistant', message: text('model', 'Reading.') },
    { type: 'assistant', message: { role: 'model', parts: [call] } },
    { type: 'tool_result', message: { role: 'user', parts: [result] } },
    { type: 'assistant', message: text('model', 'It holds text.') },
  ];
  return lines.map((line, index) => ({
    ...base,
    uuid: `u${index}`,
    parentUuid: index === 0 ? null : `u${index - 1}`,
    ...line,
  }));
}

const meta = (fields: object = {}) => ({
  agentId: 'fork-1a2b',
  agentType: 'fork',
  description: 'look at a',
  parentSessionId: 's',
  parentAgentId: null,
  createdAt: '2026-05-04T09:59:59.000Z',
  status: 'running',
  model: 'qwen3-coder-plus',
  executionAllowedTools: ['read_file'],
  ...fields,
});

describe('a legacy sidecar directory', () => {
  let database: TestDatabase;
  let log: PostgresLog;
  let tools: LegacyTools;
  let folder: string;

  beforeAll(async () => {
    database = await createTestDatabase();
    const source = await createDataSource({ url: database.url }).initialize();
    await runMigrations(source);
    await source.destroy();
    log = await openPostgresLog({ url: database.url, writers: 1, readers: 2 });
    const pool = createPool({ url: database.url, max: 2 });
    tools = { store: log.store, pool, newId, tenant: 'default', model: 'openai:other' };
  });
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'offshoot-legacy-'));
  });
  afterEach(() => rm(folder, { recursive: true }));
  afterAll(async () => {
    await log.close();
    await tools.pool.end();
    await database.drop();
  });

  async function take(
    sidecar: unknown,
    lines: readonly object[] | string = transcript(),
  ): Promise<LegacyReport> {
    const jsonl =
      typeof lines === 'string' ? lines : lines.map((line) => `${JSON.stringify(line)}\n`).join('');
    await writeFile(join(folder, 'agent-x.meta.json'), JSON.stringify(sidecar));
    await writeFile(join(folder, 'agent-x.jsonl'), jsonl);
    const [report] = await importLegacyDir(tools, folder);
    if (report === undefined) throw new Error('Nothing was found.');
    return report;
  }

  const fresh = (fields: object = {}) => meta({ agentId: newId(), ...fields });

  it('becomes a session with what was inherited and a fork that went as far as its transcript', async () => {
    const report = await take(fresh());
    expect(report).toMatchObject({ outcome: 'imported', policy: 'read_file', isTorn: false });
    const loaded = await loadAgent(log.store, report.agentId ?? '');
    expect(loaded.meta).toMatchObject({ status: 'blocked', blocked: { reason: 'import_legacy' }, turns: 2 });
    expect(loaded.meta.createdAt).toBe('2026-05-04T09:59:59.000000Z');
    const texts = loaded.history.build().messages.map(({ role, blocks }) => [role, ...blocks.map(shown)]);
    expect(texts).toEqual([
      ['user', 'What is in a?'],
      ['assistant', 'I will look.'],
      ['user', 'You are a fork. Look at a.'],
      ['assistant', 'Reading.', 'read_file {"path":"a.ts"}'],
      ['tool', 'text of a'],
      ['assistant', 'It holds text.'],
    ]);
    for (const stream of [report.agentId ?? '', report.sessionId ?? ''])
      expect(await verifyStream(log.store, stream)).toMatchObject({ ok: true });
    const session = await loadMeta(log.store, report.sessionId ?? '');
    expect(session.runtime).toMatchObject({
      projectRoot: '/work',
      systemInstruction: 'You help.',
      model: 'openai:qwen3-coder-plus',
    });
  });

  it('[POL-2] keeps an empty list as one that denies every tool', async () => {
    const { agentId = '' } = await take(fresh({ executionAllowedTools: [] }));
    expect((await loadMeta(log.store, agentId)).launch).toMatchObject({
      policy: { kind: 'list', entries: [] },
      requestedTools: '[]',
    });
  });

  it('[POL-1] takes a missing list for unrestricted, and says in the title that this was assumed', async () => {
    const { executionAllowedTools: _list, ...open } = fresh();
    const { agentId = '', sessionId = '', policy } = await take(open);
    expect((await loadMeta(log.store, agentId)).launch?.policy).toEqual({ version: 1, kind: 'unrestricted' });
    expect((await loadMeta(log.store, sessionId)).title).toContain('no list was stored: unrestricted');
    expect(policy).toBe('(unrestricted)');
  });

  it.each([[null], ['read_file'], [['*']], [[1]]])(
    '[POL-6] refuses a list that cannot be read (%j), and records nothing',
    async (executionAllowedTools) => {
      const end = await log.store.logEnd();
      expect(await take(fresh({ executionAllowedTools }))).toMatchObject({
        outcome: 'refused',
        code: 'LEGACY_POLICY_UNREADABLE',
      });
      expect(await log.store.logEnd()).toEqual(end);
    },
  );

  it('goes on only when somebody revives it', async () => {
    const { agentId: stream = '' } = await take(fresh());
    await executeCommand(
      { store: log.store, newId },
      { stream, decide: requestRevival, context: testContext },
    );
    expect((await loadMeta(log.store, stream)).status).toMatch(/^(queued|interrupted)$/);
  });

  it.each([
    ['completed', { status: 'completed', result: 'It holds text.' }],
    ['failed', { status: 'failed', partial: true }],
    ['cancelled', { status: 'cancelled', partial: true }],
  ])('that says it was %s has ended so', async (status, outcome) => {
    const { agentId = '' } = await take(fresh({ status }));
    expect(await loadMeta(log.store, agentId)).toMatchObject({ status, outcome });
  });

  it('taken in again is the same agent, also where its id is none of ours', async () => {
    const first = await take(meta());
    const again = await take(meta());
    expect(first.outcome).toBe('imported');
    expect(again).toEqual({ ...first, outcome: 'present' });
  });

  it('is refused when its id stands for another agent', async () => {
    const agentId = newId();
    await log.store.append(newAppend({ stream: agentId }));
    expect(await take(fresh({ agentId }))).toMatchObject({ outcome: 'refused', code: 'AGENT_EXISTS' });
  });

  it('loses no more than the last line when that was cut', async () => {
    const lines = transcript().map((line) => JSON.stringify(line));
    const report = await take(fresh(), [...lines.slice(0, -1), (lines.at(-1) ?? '').slice(0, 90)].join('\n'));
    expect(report).toMatchObject({ outcome: 'imported', isTorn: true });
    expect((await loadMeta(log.store, report.agentId ?? '')).turns).toBe(1);
  });

  it('leaves out what a resumed agent left behind', async () => {
    const lines = transcript();
    const dangling = {
      ...base,
      type: 'assistant',
      uuid: 'lost',
      parentUuid: 'u5',
      message: text('model', 'Cut off'),
    };
    const { agentId = '' } = await take(fresh(), [...lines.slice(0, 6), dangling, ...lines.slice(6)]);
    const { messages } = (await loadAgent(log.store, agentId)).history.build();
    expect(JSON.stringify(messages)).not.toContain('Cut off');
  });

  it.each([
    [
      'LEGACY_BOOTSTRAP_UNREADABLE',
      transcript()
        .slice(1)
        .map((line, index) => ({
          ...line,
          uuid: `v${index}`,
          parentUuid: index === 0 ? null : `v${index - 1}`,
        })),
    ],
    ['LEGACY_TRANSCRIPT_UNREADABLE', [{ type: 'nonsense' }, ...transcript()]],
  ])('is refused with %s when its transcript cannot be understood', async (code, lines) => {
    expect(await take(fresh(), lines)).toMatchObject({ outcome: 'refused', code });
  });

  it('is refused when its sidecar is none', async () => {
    expect(await take([])).toMatchObject({ outcome: 'refused', code: 'LEGACY_SIDECAR_UNREADABLE' });
  });
});

function shown(block: {
  type: string;
  text?: string;
  name?: string;
  arguments?: string;
  content?: string;
}): string {
  return block.text ?? block.content ?? `${block.name} ${block.arguments}`;
}
