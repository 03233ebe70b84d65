import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { bundleScript, type BundledScript } from '../../../test/support/bundle-script.js';

let main: BundledScript;
beforeAll(async () => {
  main = await bundleScript(join(import.meta.dirname, 'main.ts'));
});
afterAll(() => main.remove());

async function start(...args: string[]): Promise<{ child: ChildProcess; url: string }> {
  const child = fork(main.path, args, { stdio: ['ignore', 'pipe', 'inherit', 'ipc'], execArgv: [] });
  const [line] = (await once(createInterface(child.stdout!), 'line')) as [string];
  return { child, url: (JSON.parse(line) as { listening: string }).listening };
}

describe('the process', () => {
  it.each([
    ['SIGTERM', (child: ChildProcess) => child.kill('SIGTERM')],
    ['the loss of its parent', (child: ChildProcess) => child.disconnect()],
  ])('says where it listens, answers, and ends on %s even while it is streaming', async (_reason, end) => {
    const { child, url } = await start('--port', '0');
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    const rules = [{ answer: { text: 'x' }, delivery: { hangAfterChunks: 1 } }];
    await fetch(`${url}/_scripts/hang`, { method: 'PUT', body: JSON.stringify({ rules }) });
    const body = JSON.stringify({ model: 'hang', stream: true, messages: [{ role: 'user', content: 'x' }] });
    const answered = await fetch(`${url}/v1/chat/completions`, { method: 'POST', body });
    const reading = answered.text().catch(() => 'cut');
    const exited = once(child, 'exit');
    end(child);
    expect(await exited).toEqual([0, null]);
    expect(await reading).toBe('cut');
  });

  it('ends when its parent was gone before it listened for that', async () => {
    const child = fork(main.path, ['--port', '0'], {
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
      // The channel is lost, and the event of it over, while the server is still starting.
      execArgv: ['--import', 'data:text/javascript,process.disconnect()'],
    });
    expect(await once(child, 'exit')).toEqual([0, null]);
  });

  it('a wrong argument ends it with status 1', async () => {
    const child = fork(main.path, ['--port', 'x'], {
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
      execArgv: [],
    });
    expect(await once(child, 'exit')).toEqual([1, null]);
  });
});
