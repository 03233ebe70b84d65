import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { mkdir, readdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { countCodePoints } from './output-cap.js';
import { runShellCommand } from './run-shell-command.js';
import { callTool, makeSandbox, type Sandbox } from './testing/call-tool.js';
import { runningOf, STARTS_FOUR, until, writtenPids } from './testing/processes.js';

// Processes and disks of a busy machine take their time; nothing here is about speed.
jest.setTimeout(60_000);

let box: Sandbox;
beforeEach(async () => (box = await makeSandbox()));
afterEach(() => box.remove());

const run = (command: string, more = {}, context = {}) =>
  callTool(runShellCommand, box.root, { command, ...more }, context);

async function expectAllDead(): Promise<void> {
  const pids = await writtenPids(box.root);
  expect(pids).toHaveLength(4);
  await until(async () => (await runningOf(pids)).length === 0);
}

describe('run_shell_command', () => {
  it('returns output and error together, in the order they were printed', async () => {
    expect(await run('echo one; echo two >&2; echo three')).toEqual({
      outcome: 'ok',
      text: 'one\ntwo\nthree\n',
    });
  });

  it('a failing command is an error result with its exit code', async () => {
    expect(await run('echo no; exit 3')).toEqual({
      outcome: 'error',
      text: 'no\n[The command ended with exit code 3.]',
    });
    expect((await run('false')).text).toBe('(no output)\n[The command ended with exit code 1.]');
    expect(await run('true')).toEqual({ outcome: 'ok', text: '(no output)' });
    expect((await run('kill -9 $$')).text).toContain('killed by SIGKILL');
  });

  it('runs bash, in the project root or in a directory inside it', async () => {
    await mkdir(join(box.root, 'sub'));
    await symlink(box.outside, join(box.root, 'out'));
    expect((await run('[[ a == a ]] && pwd')).text).toBe(`${box.root}\n`);
    expect((await run('pwd', { directory: 'sub' })).text).toBe(`${box.root}/sub\n`);
    expect((await run('pwd', { directory: 'out' })).text).toContain('only paths that end inside');
    expect((await run('pwd', { directory: '..' })).outcome).toBe('error');
    await writeFile(join(box.root, 'file'), '');
    expect((await run('pwd', { directory: 'file' })).text).toBe('"file" is not a directory.');
  });

  it('its environment has no key, secret or address of ours, whatever the context hands over', async () => {
    const env = {
      PATH: process.env['PATH'] ?? '',
      LC_ALL: 'C',
      OPENAI_API_KEY: 'v1',
      OFFSHOOT_API_KEY: 'v2',
      DATABASE_URL: 'v3',
      REDIS_URL: 'v4',
      GITHUB_TOKEN: 'v5',
      SSH_AUTH_SOCK: 'v6',
      MY_OWN: 'v7',
    };
    const { text } = await run('env', {}, { env });
    const names = text
      .trim()
      .split('\n')
      .map((line) => line.split('=')[0]);
    const ofTheShell = ['_', 'OLDPWD', 'PWD', 'SHLVL'];
    expect(names.filter((name) => !ofTheShell.includes(name ?? '')).sort()).toEqual([
      'GIT_PAGER',
      'GIT_TERMINAL_PROMPT',
      'LC_ALL',
      'PAGER',
      'PATH',
      'TOOL_CALL_MARK',
    ]);
    expect((await run('cat /proc/self/environ | tr "\\0" "\\n"', {}, { env })).text).not.toMatch(/=v\d/);
  });

  it('nothing can be typed into it', async () =>
    expect((await run('read x; echo "got:$x"')).text).toBe('got:\n'));

  it('[M15] endless output is bounded in memory and capped for the model, its end included', async () => {
    const { text, full } = await run('head -c 50000000 /dev/zero | tr "\\0" "😀"; echo END; exit 1');
    expect(countCodePoints(text)).toBeLessThanOrEqual(30_000);
    expect(text.endsWith('END\n[The command ended with exit code 1.]')).toBe(true);
    expect(full?.length).toBeLessThan(5_000_000);
    expect(full).toContain('bytes were dropped here');
  });

  it('[L17] when the command ends, what it left in the background is dead, in its group or out of it', async () => {
    expect((await run(`${STARTS_FOUR}; echo done`)).text).toBe('done\n');
    await expectAllDead();
  });

  it('[L17] when its time is up, everything it started is dead', async () => {
    const { outcome, text } = await run(`${STARTS_FOUR}; echo waiting; wait`, { timeout_seconds: 1 });
    expect(outcome).toBe('error');
    expect(text).toBe('waiting\n[The command was stopped after 1 seconds, with everything it had started.]');
    await expectAllDead();
  });

  it('[L17] when the call is cancelled, everything it started is dead, though it ignores the request to end', async () => {
    const cancel = new AbortController();
    const result = run(`trap "" TERM; ${STARTS_FOUR}; touch started; wait`, {}, { signal: cancel.signal });
    await until(async () => (await readdir(box.root)).includes('started'));
    cancel.abort();
    expect((await result).text).toContain('cancelled');
    await expectAllDead();
  });

  it('[L17] a call that was cancelled before it began starts nothing', async () => {
    expect((await run('touch started', {}, { signal: AbortSignal.abort() })).outcome).toBe('error');
    expect(await readdir(box.root)).toEqual([]);
  });

  it('wrong arguments are refused before anything starts', async () => {
    expect((await run('')).text).toContain('must NOT have fewer than 1 characters');
    expect((await run('a', { timeout_seconds: 601 })).text).toContain('must be <= 600');
    expect((await run('a\0b')).text).toContain('NUL');
  });
});
