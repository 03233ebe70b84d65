import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { build } from 'esbuild';
import { runProcess } from './run-process.js';
import { makeSandbox, type Sandbox } from './testing/call-tool.js';
import { runningOf, STARTS_FOUR, until, writtenPids } from './testing/processes.js';

// Processes and disks of a busy machine take their time; nothing here is about speed.
jest.setTimeout(60_000);

let box: Sandbox;
beforeEach(async () => (box = await makeSandbox()));
afterEach(() => box.remove());

const PATH = process.env['PATH'] ?? '';

const request = (file: string, more = {}) => ({
  file,
  args: [],
  cwd: box.root,
  env: { PATH },
  timeoutMs: 60_000,
  maxBytes: 1_000,
  signal: new AbortController().signal,
  ...more,
});

/** A program of its own that does nothing but run one command through `runProcess`, as a worker would. */
async function buildOwner(command: string): Promise<string> {
  const outfile = join(box.outside, 'owner.cjs');
  const call = {
    file: 'sh',
    args: ['-c', command],
    cwd: box.root,
    env: { PATH },
    timeoutMs: 600_000,
    maxBytes: 1_000,
  };
  await build({
    stdin: {
      contents: `import { runProcess } from './run-process.ts';
        void runProcess({ ...${JSON.stringify(call)}, signal: new AbortController().signal });`,
      resolveDir: import.meta.dirname,
    },
    bundle: true,
    platform: 'node',
    format: 'cjs',
    outfile,
    logLevel: 'silent',
  });
  return outfile;
}

describe('running a process', () => {
  it('a file that does not exist ends with the exit code of a command not found', async () => {
    expect(await runProcess(request('/no/such/file'))).toMatchObject({ how: 'exited', exitCode: 127 });
  });

  it('a folder that does not exist is an end, not a fault', async () => {
    expect(await runProcess(request('true', { cwd: join(box.root, 'none') }))).toMatchObject({
      how: 'not_started',
    });
  });

  it('[L17] a SIGKILL of the owner takes every child with it, in the group or out of it', async () => {
    const script = await buildOwner(`echo $$ > e.pid; ${STARTS_FOUR}; touch started; wait; sleep 300`);
    const owner = spawn(process.execPath, [script]);
    await until(async () => (await readdir(box.root)).includes('started'));
    const pids = await writtenPids(box.root);
    expect(await runningOf(pids)).toEqual(pids);
    expect(pids).toHaveLength(5);
    owner.kill('SIGKILL');
    await once(owner, 'exit');
    await until(async () => (await runningOf(pids)).length === 0);
  });
});
