import { expect, it } from '@jest/globals';
import { loadMeta } from '#transcripts';
import { event, newId, testContext } from '#transcripts/testing';
import { prepareLaunch } from './launch-agent.js';
import { opened, type Session } from './testing/opened-session.js';

const narrow = '---\nname: ro\ntools: [read_file]\npromptHint: be brief\n---\n';
const wide = '---\nname: ro\ntools: [read_file, run_shell_command]\n---\n';
const forkOf = (more: object = {}) => ({
  description: 'look',
  prompt: 'look around',
  subagent_type: 'fork',
  ...more,
});

function prepare(session: Session, call: object, snapshot: string | null = null) {
  return prepareLaunch(session.tools, {
    callerId: session.sessionId,
    call,
    context: testContext,
    key: null,
    isHttp: false,
    snapshot,
  });
}

async function prepared(...args: Parameters<typeof prepare>) {
  const result = await prepare(...args);
  if (!result.ok) throw new Error(result.rejection.message);
  return result;
}

async function withProfile(text = narrow): Promise<Session> {
  const session = await opened();
  session.files.profiles.set('ro', text);
  return session;
}

it('[T22] [POL-9] what was prepared launches as prepared, though its profile was widened before the launch', async () => {
  const session = await withProfile();
  const { launch } = await prepared(session, forkOf({ fork_profile: 'ro' }));
  session.files.profiles.set('ro', wide);
  const result = await launch();
  if (!result.ok) throw new Error(result.rejection.message);
  const { launch: launched } = await loadMeta(session.store, result.agentId);
  expect(launched?.policy).toMatchObject({ kind: 'list', entries: ['read_file'] });
});

it('[T22] a snapshot is prepared again to the same text and the same agent, without a look at the file', async () => {
  const session = await withProfile();
  const first = await prepared(session, forkOf({ fork_profile: 'ro' }));
  for (const later of [wide, '---\nname: ro\n', null]) {
    if (later === null) session.files.profiles.delete('ro');
    else session.files.profiles.set('ro', later);
    const again = await prepared(session, forkOf({ fork_profile: 'ro' }), first.snapshot);
    expect(again.snapshot).toBe(first.snapshot);
    const result = await again.launch();
    if (!result.ok) throw new Error(result.rejection.message);
    const meta = await loadMeta(session.store, result.agentId);
    expect(meta.launch).toMatchObject({ policy: { entries: ['read_file'] }, profile: { name: 'ro' } });
    expect(meta.launchPrompt?.guidance).toContain('be brief');
  }
  expect(session.files.reads).toBe(1);
});

it('a definition launches as it was prepared, from the snapshot', async () => {
  const session = await opened();
  const call = { description: 'look', prompt: 'look around', subagent_type: 'explorer' };
  const first = await prepared(session, call);
  const again = await prepared(session, call, first.snapshot);
  expect(again.snapshot).toBe(first.snapshot);
  expect(first.snapshot).toContain('"tier":"bundled"');
});

it('[POL-10] what is prepared again under another workflow mode is another snapshot', async () => {
  const session = await opened();
  const first = await prepared(session, forkOf());
  await session.record(session.sessionId, event.runtimeChanged({ changes: { workflowMode: 'plan' } }));
  const again = await prepared(session, forkOf(), first.snapshot);
  expect(again.snapshot).not.toBe(first.snapshot);
});

it('a session that was put into bare mode meanwhile refuses the profile of the snapshot too', async () => {
  const session = await withProfile();
  const first = await prepared(session, forkOf({ fork_profile: 'ro' }));
  await session.record(session.sessionId, event.runtimeChanged({ changes: { bareMode: true } }));
  const again = await prepare(session, forkOf({ fork_profile: 'ro' }), first.snapshot);
  expect(again).toMatchObject({ ok: false, rejection: { code: 'BARE_MODE' } });
});

it('a text that is no snapshot is not believed: the file is read, and the text differs', async () => {
  const session = await withProfile(wide);
  for (const text of ['', '{', 'null', '{"policy":{"kind":"unrestricted"}}']) {
    const again = await prepared(session, forkOf({ fork_profile: 'ro' }), text);
    expect(again.snapshot).toContain('run_shell_command');
  }
});

it('a refusal is a value before anything is asked, and leaves LaunchRefused', async () => {
  const session = await opened();
  const refused = await prepare(session, forkOf({ fork_profile: 'ro' }));
  expect(refused).toMatchObject({ ok: false, rejection: { code: 'PROFILE_FILE_INVALID' } });
  expect(await session.refusals()).toMatchObject([{ code: 'PROFILE_FILE_INVALID' }]);
});

it('[LOG-1] a launch that happened is answered by its agent, with the snapshot that was asked with', async () => {
  const session = await withProfile();
  const request = {
    callerId: session.sessionId,
    call: forkOf({ fork_profile: 'ro' }),
    context: testContext,
    key: null,
    isHttp: false,
    idempotency: { key: `agent:${newId()}`, bodyHash: 'b'.repeat(64) },
  };
  const first = await prepareLaunch(session.tools, request);
  const launched = first.ok ? await first.launch() : null;
  session.files.profiles.delete('ro');
  const again = await prepareLaunch(session.tools, { ...request, snapshot: 'as decided' });
  expect(again).toMatchObject({ ok: true, snapshot: 'as decided' });
  expect(again.ok && (await again.launch())).toMatchObject({
    agentId: launched?.ok === true ? launched.agentId : '',
    isDuplicate: true,
  });
});

it('the model of a definition is the one that it names, unless the call names another', async () => {
  const session = await opened();
  const first = await prepared(session, { description: 'x', prompt: 'y', subagent_type: 'explorer' });
  const snapshot = (first.snapshot ?? '').replace('"model":null', '"model":"scripted:small"');
  const modelOf = async (more: object) => {
    const call = { description: 'x', prompt: 'y', subagent_type: 'explorer', ...more };
    const result = await (await prepared(session, call, snapshot)).launch();
    return result.ok ? (await loadMeta(session.store, result.agentId)).launch?.model : null;
  };
  expect([await modelOf({}), await modelOf({ model: 'scripted:other' })]).toEqual([
    'scripted:small',
    'scripted:other',
  ]);
});
