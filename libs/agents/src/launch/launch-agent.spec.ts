import { describe, expect, it } from '@jest/globals';
import type { PolicyCode } from '#policy';
import { loadMeta } from '#transcripts';
import {
  call,
  callKey,
  event,
  newId,
  says,
  specSurface,
  testContext,
  wholeStream,
} from '#transcripts/testing';
import { bundledDefinitions } from '../files/bundled-definitions.js';
import { launchAgent } from './launch-agent.js';
import { launchedBy, opened, type Session } from './testing/opened-session.js';

const bodyHash = 'b'.repeat(64);

/** Puts the session inside a batch of two launches. */
const insideBatch = async ({ record, sessionId }: Session) => {
  const turn = event.turnRecorded({ message: says('', call('agent', 'c0'), call('agent', 'c1')) });
  await record(sessionId, event.messageAppended(), event.runStarted(), event.messageDelivered(), turn);
};

describe('a launch', () => {
  it('is three records in one append that expects no stream', async () => {
    const session = await opened();
    const { agentId } = await launchedBy(session, { fork_tools: ['read_file'] });
    const events = await wholeStream(session.store, agentId);
    expect(events.map(({ type }) => type)).toEqual([
      'AgentLaunched',
      'BootstrapRecorded',
      'LaunchPromptRecorded',
    ]);
    expect(new Set(events.map(({ place }) => place.xid)).size).toBe(1);
  });

  it('[T01] no list, an empty one and a list are stored as what they are', async () => {
    const session = await opened();
    const stored = async (parameters: Record<string, unknown>) => {
      const { launch } = await launchedBy(session, parameters);
      return [launch?.policy, launch?.requestedTools];
    };
    expect(await stored({})).toEqual([{ version: 1, kind: 'unrestricted' }, null]);
    expect(await stored({ fork_tools: [] })).toMatchObject([{ kind: 'list', entries: [] }, '[]']);
    expect(await stored({ fork_tools: ['edit'] })).toMatchObject([
      { kind: 'list', entries: ['edit'] },
      '["edit"]',
    ]);
  });

  it('[T22] [POL-9] a profile is read once and gives its list, its hint and where they came from', async () => {
    const session = await opened();
    session.files.profiles.set('ro', '---\nname: ro\ntools: [read_file]\npromptHint: be brief\n---\n');
    const meta = await launchedBy(session, { fork_profile: 'ro' });
    session.files.profiles.set('ro', '---\nname: ro\ntools: [edit]\n---\n');
    expect(session.files.reads).toBe(1);
    expect(await loadMeta(session.store, meta.agentId)).toEqual(meta);
    expect(meta.launch).toMatchObject({
      policy: { entries: ['read_file'] },
      profile: { name: 'ro' },
      requestedTools: null,
    });
    expect(meta.launchPrompt?.text).toContain('be brief');
    expect(meta.launchPrompt?.restriction).not.toBeNull();
  });

  it('[T04] a mode outside Build puts its ceiling on the fork', async () => {
    const session = await opened({ workflowMode: 'plan' });
    expect((await launchedBy(session)).launch).toMatchObject({
      mode: 'plan',
      ceiling: { kind: 'closed_list' },
    });
  });

  it('outside a batch a fork inherits the session up to its head, by pointer', async () => {
    const session = await opened();
    const head = (await loadMeta(session.store, session.sessionId)).head;
    const { bootstrap } = await launchedBy(session);
    expect(bootstrap).toEqual({
      parent: { agentId: session.sessionId, version: head.version },
      digest: head.hash,
      openTurn: null,
    });
  });

  it('siblings launched from one batch share their bootstrap, whatever was recorded between them', async () => {
    const session = await opened();
    await insideBatch(session);
    const first = await launchedBy(session, { prompt: 'first' }, { key: callKey(0, 1, 'c0') });
    await session.record(
      session.sessionId,
      event.toolCallFinished({ call: callKey(0, 1, 'c0'), name: 'agent' }),
    );
    const second = await launchedBy(session, { prompt: 'second' }, { key: callKey(1, 1, 'c1') });
    const over = await launchedBy(session, { prompt: 'by hand' });
    expect(second.bootstrap).toEqual(first.bootstrap);
    expect(over.bootstrap).toEqual(first.bootstrap);
    expect(first.bootstrap?.openTurn).toBe(1);
    expect(first.launch?.call).toEqual(callKey(0, 1, 'c0'));
    const turn = (await wholeStream(session.store, session.sessionId)).find(
      ({ type }) => type === 'TurnRecorded',
    );
    expect([first.bootstrap?.parent?.version, first.bootstrap?.digest]).toEqual([turn?.version, turn?.hash]);
  });

  it('a subagent starts fresh, says so, and stores its definition and what bounds it', async () => {
    const session = await opened();
    const worker = await launchedBy(session, { subagent_type: 'worker' });
    expect(worker.bootstrap).toEqual({ parent: null, digest: null, openTurn: null });
    expect(worker.launch).toMatchObject({
      kind: 'subagent',
      depth: 1,
      background: false,
      definition: { tier: 'bundled' },
    });
    const explorer = await launchedBy(session, { subagent_type: 'explorer' }, { callerId: worker.agentId });
    expect(explorer.launch).toMatchObject({
      depth: 2,
      parentId: worker.agentId,
      sessionId: session.sessionId,
    });
    expect(explorer.launch?.ancestors).toMatchObject([{ agentId: worker.agentId, policy: { kind: 'list' } }]);
    expect(bundledDefinitions.has('worker')).toBe(true);
  });
});

it('the project root may be named as the directory to work in', async () => {
  const { launch } = await launchedBy(await opened(), { subagent_type: 'worker', working_dir: '.' });
  expect(launch).toMatchObject({ kind: 'subagent', workingDir: null });
});

describe('the browser proxies of a subagent', () => {
  const proxiesOf = async (session: Session) => {
    const result = await session.launch({ subagent_type: 'explorer' });
    if (!result.ok) throw new Error(result.rejection.message);
    const { launch } = await loadMeta(session.store, result.agentId);
    return (launch?.definition?.tools ?? []).filter((name) => name.startsWith('browser_'));
  };
  const three = ['browser_console', 'browser_screenshot', 'browser_network'];

  it.each([
    ['before the first run, where nobody knows', { builtinTools: 'all' as const }, null, three],
    ['before the first run of a session without them', { builtinTools: ['read_file'] }, null, []],
    ['on a surface with a browser', { builtinTools: 'all' as const }, ['browser_goto', 'read_file'], three],
    ['on a surface without one', { builtinTools: 'all' as const }, ['read_file'], []],
  ])('%s', async (_when, runtime, declared, expected) => {
    const session = await opened(runtime);
    if (declared !== null)
      await session.record(session.sessionId, event.runStarted({ surface: { ...specSurface, declared } }));
    expect(await proxiesOf(session)).toEqual(expected);
  });
});

describe('a refused launch', () => {
  it.each<[string, Record<string, unknown>, PolicyCode]>([
    ['bad arguments', { fork_tools: 'read_file' }, 'ALLOWLIST_INVALID'],
    ['a missing profile', { fork_profile: 'gone' }, 'PROFILE_FILE_INVALID'],
    ['an unknown definition', { subagent_type: 'nobody' }, 'DEFINITION_INVALID'],
    ['a directory that is not there', { subagent_type: 'worker', working_dir: 'src' }, 'AGENT_CALL_INVALID'],
    ['a directory outside', { subagent_type: 'worker', working_dir: '..' }, 'AGENT_CALL_INVALID'],
  ])('for %s leaves LaunchRefused and nothing else', async (_what, parameters, code) => {
    const session = await opened();
    expect(await session.launch(parameters)).toMatchObject({ ok: false, rejection: { code } });
    expect([await session.streams(), (await session.refusals()).map((refusal) => refusal.code)]).toEqual([
      1,
      [code],
    ]);
  });

  it('[POL-8] a fork cannot launch, by its record, and its stream says that it was refused', async () => {
    const session = await opened();
    const fork = await launchedBy(session);
    for (const type of ['fork', 'worker']) {
      const result = await session.launch({ subagent_type: type }, { callerId: fork.agentId });
      expect(result).toMatchObject({ ok: false, rejection: { code: 'SPAWN_FORBIDDEN' } });
    }
    expect([await session.streams(), (await session.refusals(fork.agentId)).length]).toEqual([2, 2]);
  });

  it('a list outside the closed one is refused outside Build, with its offenders', async () => {
    const session = await opened({ workflowMode: 'review' });
    const result = await session.launch({ fork_tools: ['read_file', 'edit'] });
    expect(result).toMatchObject({
      ok: false,
      rejection: { code: 'TOOLS_OUTSIDE_MODE', offenders: ['edit'] },
    });
    expect(await session.refusals()).toMatchObject([{ offenders: ['edit'] }]);
  });

  it('nothing is launched by an unknown agent, in a closed session, or by an agent that has ended', async () => {
    const session = await opened();
    expect(await session.launch({}, { callerId: newId() })).toMatchObject({
      rejection: { code: 'AGENT_NOT_FOUND' },
    });
    const worker = await launchedBy(session, { subagent_type: 'worker' });
    const child = { subagent_type: 'explorer' };
    await session.record(session.sessionId, event.sessionClosed());
    expect(await session.launch()).toMatchObject({ rejection: { code: 'SESSION_CLOSED' } });
    const byWorker = { callerId: worker.agentId };
    expect(await session.launch(child, byWorker)).toMatchObject({ rejection: { code: 'SESSION_CLOSED' } });
    await session.record(worker.agentId, event.agentCancelled());
    expect(await session.launch(child, byWorker)).toMatchObject({ rejection: { code: 'AGENT_ENDED' } });
    expect(await session.streams()).toBe(2);
  });

  it('[POL-6] an agent whose own bounds cannot be read launches nothing', async () => {
    const session = await opened();
    const callerId = newId();
    const { sessionId } = session;
    await session.record(
      callerId,
      event.agentLaunched({ kind: 'subagent', sessionId, agentId: callerId, policy: null }),
    );
    const result = await session.launch({ subagent_type: 'explorer' }, { callerId });
    expect(result).toMatchObject({ ok: false, rejection: { code: 'POLICY_UNREADABLE' } });
    expect((await session.refusals(callerId)).length).toBe(1);
    const { head } = await loadMeta(session.store, sessionId);
    const unknown = { id: newId(), type: 'PermissionNarrowed', schema: 1, data: '{}' };
    await session.store.append({
      stream: sessionId,
      expected: head,
      events: [unknown],
      context: testContext,
    });
    expect(await session.launch()).toMatchObject({ rejection: { code: 'POLICY_UNREADABLE' } });
  });

  it('a definition launches only the definitions that it names', async () => {
    const session = await opened();
    const worker = await launchedBy(session, { subagent_type: 'worker' });
    const result = await session.launch({ subagent_type: 'worker' }, { callerId: worker.agentId });
    expect(result).toMatchObject({ ok: false, rejection: { offenders: ['worker'] } });
  });

  it.each<[string, unknown]>([
    ['nested too deeply to print', JSON.parse(`${'['.repeat(20_000)}${']'.repeat(20_000)}`)],
    [
      'of megabytes',
      { description: 'd', prompt: 'p', subagent_type: 'fork', fork_tools: ['x'.repeat(3_000_000)] },
    ],
    ['that is no object', undefined],
  ])('a call %s is refused and can be recorded', async (_what, parameters) => {
    const session = await opened();
    const result = await launchAgent(session.tools, {
      callerId: session.sessionId,
      call: parameters,
      context: testContext,
      key: null,
      isHttp: true,
    });
    expect([result.ok, (await session.refusals()).length]).toEqual([false, 1]);
  });
});

describe('a launch under an idempotency key', () => {
  const keyed = { idempotency: { key: 'k1', bodyHash } };

  it('is made once, however often and at once it is sent', async () => {
    const session = await opened();
    const results = await Promise.all(Array.from({ length: 10 }, () => session.launch({}, keyed)));
    expect(new Set(results.map((result) => (result.ok ? result.agentId : null))).size).toBe(1);
    expect(results.filter((result) => result.ok && !result.isDuplicate).length).toBe(1);
    expect(await session.streams()).toBe(2);
  });

  it('[C01] gets its first answer when it would be refused by now', async () => {
    const session = await opened();
    session.files.profiles.set('ro', '---\nname: ro\ntools: [read_file]\n---\n');
    const first = await session.launch({ fork_profile: 'ro' }, keyed);
    session.files.profiles.clear();
    await session.record(session.sessionId, event.sessionClosed());
    const again = await session.launch({ fork_profile: 'ro' }, keyed);
    expect(again).toEqual({ ...first, isDuplicate: true, bodyHash });
    expect(await session.refusals()).toEqual([]);
  });

  it('is another launch in another tenant', async () => {
    const session = await opened();
    await session.launch({}, keyed);
    await session.launch({}, { ...keyed, context: { ...testContext, tenant: 'tenant-b' } });
    expect(await session.streams()).toBe(3);
  });
});

describe('a large launch', () => {
  const longList = (letter: string) => Array.from({ length: 1_000 }, (_, at) => `${at}-`.padEnd(512, letter));

  it.each([
    ['ASCII', 'x'],
    ['three bytes a letter', '\u4e00'],
  ])('is recorded with the longest list of %s', async (_what, letter) => {
    const session = await opened();
    const entries = longList(letter);
    expect((await launchedBy(session, { fork_tools: entries })).launch).toMatchObject({
      policy: { entries },
    });
  });
  it('whose prompt is more than an event holds is refused and no fault', async () => {
    const session = await opened();
    const result = await session.launch({ prompt: 'x'.repeat(9_000_000) });
    expect(result).toMatchObject({ ok: false, rejection: { code: 'AGENT_CALL_INVALID' } });
    expect([await session.streams(), (await session.refusals()).length]).toEqual([1, 1]);
  });
});

describe('the model of an agent', () => {
  const modelOf = ({ launch }: Awaited<ReturnType<typeof launchedBy>>) => [launch?.model, launch?.modelIsOwn];

  it('is its own where its call names one, and then also that of a fork of its transcript', async () => {
    const session = await opened();
    const named = await launchedBy(session, { subagent_type: 'worker', model: 'scripted:other' });
    expect(modelOf(named)).toEqual(['scripted:other', true]);
    const forkPoint = { agentId: named.agentId, version: null };
    expect(modelOf(await launchedBy(session, {}, { forkPoint }))).toEqual(['scripted:other', true]);
  });

  it('is that of its session else, and is not pinned', async () => {
    const session = await opened();
    for (const call of [{}, { subagent_type: 'worker' }])
      expect(modelOf(await launchedBy(session, call))).toEqual(['scripted:spec', undefined]);
  });
});
