import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { mkdir, mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { launchedBy, opened, type Session } from './testing/opened-session.js';

let projectRoot: string;
let session: Session;
beforeEach(async () => {
  projectRoot = await mkdtemp(join(tmpdir(), 'offshoot-launch-'));
  await mkdir(join(projectRoot, 'src', 'deep'), { recursive: true });
  await mkdir(join(projectRoot, 'docs'));
  session = await opened({ projectRoot });
});
afterEach(() => rm(projectRoot, { recursive: true, force: true }));

const inFolder = async (working_dir: string | undefined, callerId = session.sessionId) => {
  const call = { subagent_type: 'worker', ...(working_dir === undefined ? {} : { working_dir }) };
  return (await launchedBy(session, call, { callerId })).launch?.workingDir;
};
const refusal = async (working_dir: string, callerId = session.sessionId) => {
  const result = await session.launch({ subagent_type: 'explorer', working_dir }, { callerId });
  return result.ok ? null : result.rejection;
};

describe('working_dir', () => {
  it('is recorded relative to the project root, however it was written', async () => {
    expect(await inFolder('src/./deep/../deep/')).toBe('src/deep');
    expect(await inFolder(join(projectRoot, 'docs'))).toBe('docs');
    expect(await inFolder('./')).toBeNull();
    expect(await inFolder(undefined)).toBeNull();
    // Models fill optional fields (spec 02 §1): an empty text is one that was left out.
    expect(await inFolder('')).toBeNull();
  });

  it('[POL-5] of a child lies inside the one of its parent, relative to it, and is inherited where it is left out', async () => {
    const parent = await launchedBy(session, { subagent_type: 'worker', working_dir: 'src' });
    const child = (working_dir?: string) =>
      launchedBy(
        session,
        { subagent_type: 'explorer', ...(working_dir === undefined ? {} : { working_dir }) },
        { callerId: parent.agentId },
      );
    expect((await child('deep')).launch?.workingDir).toBe('src/deep');
    expect((await child()).launch?.workingDir).toBe('src');
    expect((await child('')).launch?.workingDir).toBe('src');
    await symlink('..', join(projectRoot, 'src', 'up'));
    for (const outside of ['..', '../docs', projectRoot, join(projectRoot, 'docs'), 'up', 'up/docs'])
      expect(await refusal(outside, parent.agentId)).toMatchObject({ offenders: [outside] });
  });

  it('of a fork of a transcript is the one that its history was made in', async () => {
    const source = await launchedBy(session, { subagent_type: 'worker', working_dir: 'src' });
    const fork = await launchedBy(session, {}, { forkPoint: { agentId: source.agentId, version: null } });
    expect(fork.launch).toMatchObject({ kind: 'fork', workingDir: 'src' });
  });

  it.each(['..', '/', '/etc', 'gone', '../src', '.git'])(
    'is refused where it is %j, with the offender and what would be accepted',
    async (given) => {
      expect(await refusal(given)).toMatchObject({
        code: 'AGENT_CALL_INVALID',
        offenders: [given],
        message: expect.stringContaining('Give a directory that exists inside the folder'),
      });
      expect(await session.streams()).toBe(1);
    },
  );
});
