import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { fork, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { bundleScript, type BundledScript } from '../../../../test/support/bundle-script.js';

describe('a process that ends with its supervisor', () => {
  let script: BundledScript;
  const children: ChildProcess[] = [];
  const started = (child: ChildProcess): ChildProcess => {
    children.push(child);
    return child;
  };
  const forked = (): ChildProcess => started(fork(script.path, [], { execArgv: [], silent: true }));
  const untilReady = (child: ChildProcess): Promise<unknown> => once(child.stdout!, 'data');

  beforeAll(async () => {
    script = await bundleScript(join(import.meta.dirname, 'testing', 'orphan.ts'));
  });
  afterEach(() => {
    for (const child of children.splice(0)) child.kill('SIGKILL');
  });
  afterAll(() => script.remove());

  it('ends in order when the channel closes', async () => {
    const child = forked();
    await untilReady(child);
    child.disconnect();
    expect(await once(child, 'exit')).toEqual([0, null]);
  });

  it('ends in order when the supervisor was gone before it had started', async () => {
    const child = forked();
    child.disconnect();
    expect(await once(child, 'exit')).toEqual([0, null]);
  });

  it('ends in order on SIGTERM', async () => {
    const child = forked();
    await untilReady(child);
    child.kill('SIGTERM');
    expect(await once(child, 'exit')).toEqual([0, null]);
  });

  it('lives on when nobody supervises it', async () => {
    const child = started(spawn(process.execPath, [script.path], { stdio: ['ignore', 'pipe', 'inherit'] }));
    expect(String(await untilReady(child))).toContain('ready\n');
    expect(child.exitCode).toBeNull();
    child.kill('SIGTERM');
    expect(await once(child, 'exit')).toEqual([0, null]);
  });
});
