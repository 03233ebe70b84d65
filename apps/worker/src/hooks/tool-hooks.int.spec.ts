import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { readFile, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { makeSandbox, type Sandbox } from '../tools/testing/call-tool.js';
import { runningOf, until } from '../tools/testing/processes.js';
import type { ValidatedArguments } from '../tools/validate-arguments.js';
import { validateArguments } from '../tools/validate-arguments.js';
import type { Hook } from './hook.js';
import { ConfiguredToolHooks, type HookedCall, type HookVerdict } from './tool-hooks.js';

// Processes of a busy machine take their time; nothing here is about speed.
jest.setTimeout(60_000);

let box: Sandbox;
let faults: string[];
beforeEach(async () => {
  box = await makeSandbox();
  faults = [];
});
afterEach(() => box.remove());

const tool = (name: string): HookedCall['tool'] => ({
  identity: { name },
  description: 'd',
  parameters: '{}',
  readOnly: false,
  idempotent: false,
  executable: true,
});
const call: HookedCall = {
  facts: { agent: { id: 'a1' }, projectRoot: '/project' },
  tool: tool('edit'),
  argumentsText: '{"n":1}',
  arguments: { n: 1 },
};
const schema =
  '{"type":"object","properties":{"n":{"type":"integer"}},"required":["n"],"additionalProperties":false}';
const validate = (text: string): ValidatedArguments => validateArguments(schema, text);
const goesOn = { ok: true, argumentsText: '{"n":1}', arguments: { n: 1 } };

function hooksOf(...hooks: readonly Partial<Hook>[]): ConfiguredToolHooks {
  return new ConfiguredToolHooks(
    hooks.map((hook) => ({ event: 'PreToolUse', timeoutMs: 30_000, ...hook })),
    {
      environment: { PATH: process.env['PATH'] ?? '', SHOWN: 'yes' },
      directory: box.outside,
      onFault: (_hook, reason) => faults.push(reason),
    },
  );
}
const before = (
  hooks: ConfiguredToolHooks,
  given: HookedCall = call,
  signal = new AbortController().signal,
): Promise<HookVerdict> => hooks.before(given, validate, signal);
const inBox = (name: string): Promise<string> => readFile(join(box.outside, name), 'utf8');

describe('a pre-tool hook that is a command', () => {
  it('is told of the call on standard input, runs outside the project, and sees only the environment it is given', async () => {
    const hooks = hooksOf({ command: 'cat > told.json; env > env.txt; pwd > where.txt' });
    expect(await before(hooks)).toEqual(goesOn);
    expect(JSON.parse(await inBox('told.json'))).toEqual({
      hook: 'PreToolUse',
      agent: { id: 'a1' },
      projectRoot: '/project',
      tool: { name: 'edit', identity: { name: 'edit' } },
      arguments: { n: 1 },
    });
    expect((await inBox('where.txt')).trim()).toBe(box.outside);
    const names = (await inBox('env.txt')).split('\n').map((line) => line.split('=')[0]);
    expect(names).toContain('SHOWN');
    expect(names).not.toContain('HOME');
  });

  it('goes on when it reads nothing and says nothing, and whatever it writes to standard error', async () => {
    expect(await before(hooksOf({ command: 'exec 0<&-; echo chatter >&2' }))).toEqual(goesOn);
  });

  it('blocks by its answer, and by exit code 2 with what it says', async () => {
    const answer = hooksOf({ command: `printf '{"decision":"block","reason":"not today"}'` });
    expect(await before(answer)).toMatchObject({ ok: false, text: expect.stringContaining('not today') });
    const code = hooksOf({ command: 'echo never this >&2; exit 2' });
    expect(await before(code)).toMatchObject({ ok: false, text: expect.stringContaining('never this') });
    expect(faults).toEqual([]);
  });

  it('rewrites the arguments; a rewrite is validated before the next hook sees it', async () => {
    const rewrite = { command: `printf '{"arguments":{"n":7}}'` };
    expect(await before(hooksOf(rewrite, { command: 'cat > told.json' }))).toEqual({
      ok: true,
      argumentsText: '{"n":7}',
      arguments: { n: 7 },
    });
    expect(JSON.parse(await inBox('told.json'))).toMatchObject({ arguments: { n: 7 } });
    const bad = hooksOf({ command: `printf '{"arguments":{"n":"seven"}}'` }, { command: 'touch reached' });
    expect(await before(bad)).toMatchObject({ ok: false });
    await expect(inBox('reached')).rejects.toThrow('ENOENT');
    expect(faults).toEqual([expect.stringContaining('rewrite')]);
  });

  it.each([
    ['another exit code', 'exit 1', 'exit code 1'],
    ['a signal', 'kill -9 $$', 'killed by'],
    ['what is no answer', 'echo fine', 'not a JSON object'],
    ['no such program', 'there-is-no-such-program', 'exit code 127'],
    ['more than anybody answers', 'yes | head -c 3000000', 'larger than'],
  ])('that fails by %s blocks, and the operator is told why', async (_how, command, reason) => {
    const verdict = await before(hooksOf({ command }));
    expect(verdict).toEqual({
      ok: false,
      text: 'A hook that must be asked before this call failed; nothing was run.',
    });
    expect(faults).toEqual([expect.stringContaining(reason)]);
  });

  it('that is too slow blocks, and nothing that it started is left', async () => {
    await writeFile(join(box.outside, 'slow.sh'), 'sleep 600 & echo $! > child.pid; sleep 600');
    const verdict = await before(hooksOf({ command: 'sh slow.sh', timeoutMs: 700 }));
    expect(verdict).toMatchObject({ ok: false });
    expect(faults).toEqual(['it took longer than 700 ms']);
    const pid = Number(await inBox('child.pid'));
    await until(async () => (await runningOf([pid])).length === 0);
  });

  it('[L17] ends with the run that waits for it, and nothing that it started is left', async () => {
    const stop = new AbortController();
    const waiting = before(hooksOf({ command: 'echo $$ > own.pid; sleep 600' }), call, stop.signal);
    await until(async () => (await inBox('own.pid').catch(() => '')) !== '');
    stop.abort();
    expect(await waiting).toMatchObject({ ok: false });
    await until(async () => (await runningOf([Number(await inBox('own.pid'))])).length === 0);
  });
});

describe('which hooks are asked', () => {
  it('those whose pattern fits one of the names of the tool, in their order, until one blocks', async () => {
    const say = (word: string): string => `printf ${word} >> order.txt`;
    const hooks = hooksOf(
      { command: say('a'), matcher: '^edit$' },
      { command: say('b'), matcher: 'shell' },
      { command: say('c') },
      { command: `${say('d')}; exit 2`, matcher: 'ed|it' },
      { command: say('e') },
      { command: say('f'), event: 'PostToolUse' },
    );
    expect(await before(hooks)).toMatchObject({ ok: false });
    expect(await inBox('order.txt')).toBe('acd');
  });

  it('a tool of a server is known by its raw form, also where the model calls it by another name', async () => {
    const odd = { server: 'my server', tool: 'a tool' };
    const hooks = hooksOf({ command: 'exit 2', matcher: '^mcp__my server__a tool$' });
    expect(await before(hooks, { ...call, tool: { ...call.tool, identity: odd } })).toMatchObject({
      ok: false,
    });
  });
});

describe('a hook that is a service', () => {
  let server: Server;
  let url: string;
  let received: string[];
  let reply: { status: number; body?: string; delayMs?: number; location?: string };
  beforeEach(async () => {
    received = [];
    server = createServer((request, response) => {
      void readAll(request).then(async (body) => {
        received.push(body);
        await pause(reply.delayMs ?? 0, undefined, { ref: false });
        const location = reply.location === undefined ? {} : { location: reply.location };
        response.writeHead(reply.status, location).end(reply.body);
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`;
  });
  afterEach(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });

  it('is posted the call and answers like a command', async () => {
    reply = { status: 200, body: '{"arguments":{"n":2}}' };
    expect(await before(hooksOf({ url }))).toMatchObject({ ok: true, argumentsText: '{"n":2}' });
    expect(received.map((body) => JSON.parse(body) as object)).toMatchObject([
      { hook: 'PreToolUse', arguments: { n: 1 } },
    ]);
    reply = { status: 204 };
    expect(await before(hooksOf({ url }))).toEqual(goesOn);
    reply = { status: 200, body: '{"decision":"block","reason":"closed"}' };
    expect(await before(hooksOf({ url }))).toMatchObject({ text: expect.stringContaining('closed') });
  });

  it.each([
    ['an error', { status: 500 }, 'status 500'],
    ['another success', { status: 201, body: '{}' }, 'status 201'],
    ['a redirect', { status: 307, location: 'http://127.0.0.1:1/' }, 'could not be reached'],
    ['what is no answer', { status: 200, body: 'ok' }, 'not a JSON object'],
    ['too much', { status: 200, body: 'x'.repeat(2_000_000) }, 'more than'],
    ['nothing in time', { status: 200, delayMs: 5_000 }, 'longer than'],
  ])('that answers with %s blocks', async (_how, given, reason) => {
    reply = given;
    const verdict = await before(hooksOf({ url, timeoutMs: reply.delayMs === undefined ? 30_000 : 300 }));
    expect(verdict).toMatchObject({ ok: false });
    expect(faults).toEqual([expect.stringContaining(reason)]);
  });

  it('that cannot be reached blocks', async () => {
    expect(await before(hooksOf({ url: 'http://127.0.0.1:1/hook' }))).toMatchObject({ ok: false });
    expect(faults).toHaveLength(1);
  });
});

it('a post-tool hook is told of the result; what it answers changes nothing, and its failure is only reported', async () => {
  const hooks = hooksOf(
    { event: 'PostToolUse', command: 'exit 2' },
    { event: 'PostToolUse', command: 'cat > told.json; echo nonsense' },
  );
  const result = { outcome: 'ok', text: 'done', durationMs: 5 } as const;
  await hooks.after(call, result, new AbortController().signal);
  expect(JSON.parse(await inBox('told.json'))).toMatchObject({
    hook: 'PostToolUse',
    result,
    arguments: { n: 1 },
  });
  expect(faults).toHaveLength(1);
});

async function readAll(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  return Buffer.concat(parts).toString();
}
