import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { until } from '../tools/testing/processes.js';
import {
  callOffered,
  type Harness,
  makePool,
  namesOf,
  realServer,
  sessionWith,
} from './testing/pool-harness.js';

jest.setTimeout(90_000);

let harness: Harness;
let folder: string;
const started: ChildProcess[] = [];
beforeEach(async () => {
  harness = makePool();
  folder = await realpath(await mkdtemp(join(tmpdir(), 'offshoot-mcp-real-')));
});
afterEach(async () => {
  for (const child of started.splice(0)) await stop(child);
  await harness.pool.close();
  await rm(folder, { recursive: true, force: true });
});

const node = (script: string, ...args: string[]) => ({ command: process.execPath, args: [script, ...args] });

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  return port;
}

async function startEverything(port: number): Promise<ChildProcess> {
  const child = spawn(process.execPath, [realServer('everything'), 'streamableHttp'], {
    env: { PATH: process.env['PATH'], PORT: String(port) },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  started.push(child);
  await once(child.stderr, 'data');
  return child;
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.signalCode !== null) return;
  child.kill('SIGKILL');
  await once(child, 'exit');
}

const everythingTools = [
  'mcp__everything__echo',
  'mcp__everything__get-structured-content',
  'mcp__everything__get-sum',
  'mcp__everything__get-tiny-image',
  'mcp__everything__trigger-long-running-operation',
];

async function expectEverything(session: ReturnType<typeof sessionWith>): Promise<void> {
  const offer = await harness.pool.resolve(session);
  expect(namesOf(offer)).toEqual(expect.arrayContaining(everythingTools));
  const call = async (tool: string, given: object) => callOffered(offer, `mcp__everything__${tool}`, given);
  expect(await call('echo', { message: 'hi' })).toEqual({ outcome: 'ok', text: 'Echo: hi' });
  expect((await call('get-sum', { a: 2, b: 3 })).text).toContain('5');
  const structured = await call('get-structured-content', { location: 'Chicago' });
  expect(JSON.parse(structured.text)).toEqual(expect.objectContaining({ humidity: 82 }));
  expect((await call('get-tiny-image', {})).text).toMatch(/\[image, image\/png, \d+ bytes\]/);
  const long = await call('trigger-long-running-operation', { duration: 1, steps: 4 });
  expect(long.text).toContain('completed');
  expect((await call('get-structured-content', { location: 'Nowhere' })).outcome).toBe('error');
  expect((await call('echo', {})).text).toContain("must have required property 'message'");
}

describe('real servers', () => {
  it('everything works over stdio, with tools that need tasks withheld', async () => {
    const session = sessionWith({ everything: node(realServer('everything')) }, folder);
    await expectEverything(session);
    expect(
      harness.pool.current(session).withheld.every(({ reason }) => reason.startsWith('tool_needs_tasks')),
    ).toBe(true);
  });

  it('[M11] everything works over HTTP, also after it was killed and started again', async () => {
    const port = await freePort();
    const session = sessionWith({ everything: { url: `http://127.0.0.1:${port}/mcp` } }, folder);
    const first = await startEverything(port);
    await expectEverything(session);
    await stop(first);
    await startEverything(port);
    await until(async () => (await harness.pool.resolve(session)).tools.length > 0);
    await expectEverything(session);
  });

  it('filesystem and memory work side by side; what memory keeps is there for all runs of the session', async () => {
    await writeFile(join(folder, 'note.txt'), 'a note\n');
    const session = sessionWith(
      {
        fs: node(realServer('filesystem'), folder),
        memory: { ...node(realServer('memory')), env: { MEMORY_FILE_PATH: join(folder, 'memory.json') } },
      },
      folder,
    );
    const offer = await harness.pool.resolve(session);
    const read = await callOffered(offer, 'mcp__fs__read_text_file', { path: join(folder, 'note.txt') });
    expect(read.text).toContain('a note');
    expect((await callOffered(offer, 'mcp__fs__read_text_file', { path: '/etc/passwd' })).outcome).toBe(
      'error',
    );
    const entities = [{ name: 'Offshoot', entityType: 'product', observations: ['forks agents'] }];
    expect((await callOffered(offer, 'mcp__memory__create_entities', { entities })).outcome).toBe('ok');
    const again = await harness.pool.resolve(session);
    expect((await callOffered(again, 'mcp__memory__read_graph')).text).toContain('forks agents');
  });
});
