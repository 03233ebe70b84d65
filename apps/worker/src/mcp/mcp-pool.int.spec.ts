import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { countCodePoints } from '../tools/output-cap.js';
import { until } from '../tools/testing/processes.js';
import { callOffered, type Harness, makePool, namesOf, sessionWith, toolOf } from './testing/pool-harness.js';
import { anyTool, makeRawServer, type RawPlan, type RawServer } from './testing/make-raw-server.js';

jest.setTimeout(60_000);

let made: RawServer[];
let harness: Harness;
beforeEach(() => {
  made = [];
  harness = makePool({ deadlines: { callMs: 1_000, callMaxMs: 3_000 } });
});
afterEach(async () => {
  await harness.pool.close();
  await Promise.all(made.map((server) => server.remove()));
});

async function raw(plan: RawPlan): Promise<RawServer> {
  const server = await makeRawServer(plan);
  made.push(server);
  return server;
}
const tools = (...names: string[]) => ({ tools: names.map((name) => anyTool(name)) });
const countOf = async (server: RawServer, method: string) =>
  (await server.received()).filter((message) => message.method === method).length;

describe('the servers of a session', () => {
  it('[M07] a list is read to its end, page by page, and a tool of the last page can be called', async () => {
    const server = await raw({
      ...tools(...Array.from({ length: 101 }, (_none, index) => `t${index}`)),
      pageSize: 50,
    });
    const offer = await harness.pool.resolve(sessionWith({ raw: server.config }));
    expect(offer.tools).toHaveLength(101);
    expect((await callOffered(offer, 'mcp__raw__t100', { a: 1 })).text).toBe('t100 {"a":1}');
  });

  it('[M17] a bad schema quarantines its tool with a reason and takes no other down', async () => {
    const loop = { type: 'object', properties: { a: { $ref: '#/properties/a' } } };
    const deep = JSON.parse(`${'{"type":"object","properties":{"a":'.repeat(2_000)}{}${'}}'.repeat(2_000)}`);
    const server = await raw({
      tools: [
        anyTool('good'),
        anyTool('any', { inputSchema: { anyOf: [{ type: 'object' }] } }),
        anyTool('output', { outputSchema: { properties: {} } }),
        anyTool('loop', { inputSchema: loop }),
        anyTool('deep', { inputSchema: deep }),
        anyTool('gone', { inputSchema: { type: 'object', properties: { a: { $ref: '#/$defs/b' } } } }),
        anyTool('none', { inputSchema: undefined }),
        anyTool(''),
        anyTool('twice'),
        anyTool('twice'),
        anyTool('task', { execution: { taskSupport: 'required' } }),
        7,
        anyTool('tree', {
          inputSchema: { type: 'object', properties: { kids: { type: 'array', items: { $ref: '#' } } } },
        }),
      ],
    });
    const offer = await harness.pool.resolve(sessionWith({ raw: server.config }));
    expect(namesOf(offer)).toEqual(['mcp__raw__good', 'mcp__raw__tree']);
    expect(offer.withheld.map(({ name, reason }) => `${name} ${reason.split(':')[0]}`).sort()).toEqual([
      'mcp__raw__ tool_name',
      'mcp__raw__ tool_name',
      'mcp__raw__any tool_schema',
      'mcp__raw__deep tool_schema',
      'mcp__raw__gone tool_schema',
      'mcp__raw__loop tool_schema',
      'mcp__raw__none tool_schema',
      'mcp__raw__output tool_schema',
      'mcp__raw__task tool_needs_tasks',
      'mcp__raw__twice tool_listed_twice',
    ]);
    expect((await callOffered(offer, 'mcp__raw__good')).outcome).toBe('ok');
  });

  it('[T09] names of object members are ordinary tools, and nothing is polluted', async () => {
    const server = await raw(tools('__proto__', 'constructor', 'toString'));
    const offer = await harness.pool.resolve(sessionWith({ raw: server.config }));
    expect((await callOffered(offer, 'mcp__raw____proto__')).text).toBe('__proto__ {}');
    expect((await callOffered(offer, 'mcp__raw__constructor')).text).toBe('constructor {}');
    expect((await callOffered(offer, 'mcp__raw__toString')).text).toBe('toString {}');
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
  });

  it('[M01] servers whose names look alike each get their own calls', async () => {
    const one = await raw({ tools: [anyTool('run')] });
    const two = await raw({ tools: [anyTool('run')] });
    const offer = await harness.pool.resolve(
      sessionWith({ 'my.server': one.config, my_server: two.config, a__b: two.config }),
    );
    await callOffered(offer, 'mcp__my.server__run');
    expect([await countOf(one, 'tools/call'), await countOf(two, 'tools/call')]).toEqual([1, 0]);
    expect(offer.withheld).toEqual([
      { name: 'mcp__a__b', reason: expect.stringContaining('server_name: ') as unknown },
    ]);
  });

  it('[M09] a call without an answer ends at its deadline, is cancelled, and the next call works', async () => {
    const server = await raw(tools('hang', 'late', 'echo'));
    const offer = await harness.pool.resolve(sessionWith({ raw: server.config }));
    const hung = await callOffered(offer, 'mcp__raw__hang');
    expect(hung).toEqual({
      outcome: 'error',
      text: 'MCP server "raw": no answer came within 1 s; the call was cancelled, and whether it took effect is unknown.',
    });
    await until(async () => (await countOf(server, 'notifications/cancelled')) === 1);
    expect((await callOffered(offer, 'mcp__raw__late', { ms: 1_300 })).outcome).toBe('error');
    await new Promise((resolve) => setTimeout(resolve, 500));
    expect((await callOffered(offer, 'mcp__raw__echo', { b: 2 })).text).toBe('echo {"b":2}');
    expect(await countOf(server, 'initialize')).toBe(1);
  });

  it('[M09] progress extends the deadline of a call, up to the maximum', async () => {
    const server = await raw(tools('progress'));
    const offer = await harness.pool.resolve(sessionWith({ raw: server.config }));
    expect((await callOffered(offer, 'mcp__raw__progress', { steps: 5, ms: 300 })).text).toBe('progressed');
    const endless = await callOffered(offer, 'mcp__raw__progress', { steps: 100, ms: 300 });
    expect(endless.text).toContain('no answer came within 3 s');
    await until(async () => (await countOf(server, 'notifications/cancelled')) === 1);
  });

  it('[M09] a server that dies in a call answers it with an error and is started again for the next', async () => {
    const server = await raw(tools('die', 'echo'));
    const offer = await harness.pool.resolve(sessionWith({ raw: server.config }));
    const dead = await callOffered(offer, 'mcp__raw__die');
    expect(dead.outcome).toBe('error');
    expect(dead.text).toContain('went away while the call was under way; whether it took effect is unknown');
    expect((await callOffered(offer, 'mcp__raw__echo')).text).toBe('echo {}');
    expect(await countOf(server, 'tools/call')).toBe(2);
  });

  it('[L17] [M09] the abort of one run cancels its call and no other', async () => {
    const server = await raw(tools('hang', 'late'));
    const offer = await harness.pool.resolve(sessionWith({ raw: server.config }));
    const cancel = new AbortController();
    const hung = callOffered(offer, 'mcp__raw__hang', {}, cancel.signal);
    const other = callOffered(offer, 'mcp__raw__late', { ms: 200 });
    await until(async () => (await countOf(server, 'tools/call')) === 2);
    cancel.abort(new Error('stopped'));
    expect(await hung).toEqual({ outcome: 'error', text: 'Cancelled.' });
    expect((await other).text).toBe('late');
    await until(async () => (await countOf(server, 'notifications/cancelled')) === 1);
  });

  it('[M15] huge results are capped for the model in whole code points, with the rest kept', async () => {
    const server = await raw(tools('big', 'blocks'));
    harness = makePool();
    const offer = await harness.pool.resolve(sessionWith({ raw: server.config }));
    const big = await callOffered(offer, 'mcp__raw__big', { count: 2_500_000 });
    expect(countCodePoints(big.text)).toBeLessThanOrEqual(30_000);
    expect(big.text.isWellFormed()).toBe(true);
    expect(Buffer.byteLength(big.full ?? '')).toBeLessThan(4_300_000);
    const blocks = await callOffered(offer, 'mcp__raw__blocks', { count: 100_000 });
    expect(countCodePoints(blocks.text)).toBeLessThanOrEqual(30_000);
  });

  it('results that are too deep or no results are errors, and the connection goes on', async () => {
    const server = await raw(tools('deep', 'nonsense', 'echo'));
    const offer = await harness.pool.resolve(sessionWith({ raw: server.config }));
    expect((await callOffered(offer, 'mcp__raw__deep', { count: 3_000 })).text).toContain('cannot be read');
    expect((await callOffered(offer, 'mcp__raw__nonsense')).outcome).toBe('error');
    expect((await callOffered(offer, 'mcp__raw__echo')).outcome).toBe('ok');
    expect(await countOf(server, 'initialize')).toBe(1);
  });

  it('[M05] a change that the server announces is known without being asked for', async () => {
    const server = await raw({ ...tools('old', 'stays'), announce: true });
    const session = sessionWith({ raw: server.config });
    const before = await harness.pool.resolve(session);
    await server.plan({ ...tools('new', 'stays'), announce: true });
    await until(() => Promise.resolve(namesOf(harness.pool.current(session)).includes('mcp__raw__new')));
    expect(namesOf(harness.pool.current(session))).toEqual(['mcp__raw__new', 'mcp__raw__stays']);
    expect((await callOffered(before, 'mcp__raw__old')).text).toContain('does not offer this tool any more');
    expect((await callOffered(before, 'mcp__raw__stays')).outcome).toBe('ok');
  });

  it('[M05] a change that is not announced is known to the next run; the tool that is gone is an error result', async () => {
    const server = await raw(tools('old'));
    const session = sessionWith({ raw: server.config });
    const before = await harness.pool.resolve(session);
    await server.plan(tools('new'));
    expect((await callOffered(before, 'mcp__raw__old')).text).toContain('Unknown tool old');
    expect(namesOf(await harness.pool.resolve(session))).toEqual(['mcp__raw__new']);
  });

  it('[M19] a tool whose definition changed since it was declared is not run; another key order is no change', async () => {
    const schema = { type: 'object', properties: { a: { type: 'string' }, b: { type: 'number' } } };
    const turned = { properties: { b: { type: 'number' }, a: { type: 'string' } }, type: 'object' };
    const server = await raw({ tools: [anyTool('t', { inputSchema: schema })] });
    const session = sessionWith({ raw: server.config });
    const first = await harness.pool.resolve(session);
    await server.plan({ tools: [anyTool('t', { inputSchema: turned })] });
    const second = await harness.pool.resolve(session);
    expect(toolOf(second, 'mcp__raw__t').parameters).toBe(toolOf(first, 'mcp__raw__t').parameters);
    expect((await callOffered(first, 'mcp__raw__t')).outcome).toBe('ok');
    await server.plan({
      tools: [anyTool('t', { inputSchema: schema, annotations: { readOnlyHint: true } })],
    });
    const third = await harness.pool.resolve(session);
    expect((await callOffered(second, 'mcp__raw__t')).text).toContain(
      'has changed the definition of this tool',
    );
    expect((await callOffered(third, 'mcp__raw__t')).outcome).toBe('ok');
  });

  it('a server that fails is reported with a reason and is fatal to nobody', async () => {
    harness = makePool({ deadlines: { connectMs: 6_000, listMs: 3_000 } });
    const good = await raw(tools('echo'));
    const silent = await raw({ ...tools(), silent: ['initialize'] });
    const listless = await raw({ ...tools(), silent: ['tools/list'] });
    const offer = await harness.pool.resolve(
      sessionWith({
        good: { ...good.config },
        missing: { command: 'there-is-no-such-program' },
        silent: silent.config,
        listless: listless.config,
        odd: { command: 7 },
        away: { url: 'http://127.0.0.1:9/mcp' },
      }),
    );
    expect(offer.withheld.map(({ name, reason }) => `${name} ${reason.split(':')[0]}`).sort()).toEqual([
      'mcp__away server_failed',
      'mcp__listless server_failed',
      'mcp__missing server_failed',
      'mcp__odd server_config',
      'mcp__silent server_failed',
    ]);
    expect(offer.withheld.find(({ name }) => name === 'mcp__missing')?.reason).toContain('not found');
    expect(namesOf(offer)).toEqual(['mcp__good__echo']);
  });

  it('runs of a session share one server, also when they start at once; another session has its own', async () => {
    const server = await raw(tools('echo'));
    const session = sessionWith({ raw: server.config });
    await Promise.all(Array.from({ length: 16 }, () => harness.pool.resolve(session)));
    expect(await countOf(server, 'initialize')).toBe(1);
    await harness.pool.resolve({ ...session, sessionId: 's2' });
    expect(await countOf(server, 'initialize')).toBe(2);
    expect(harness.pool.size).toBe(2);
  });

  it('connections that no run holds are closed after a while, and opened again for a late call', async () => {
    harness = makePool({ deadlines: { idleMs: 150 } });
    const server = await raw(tools('echo'));
    const session = sessionWith({ raw: server.config });
    const offer = await harness.pool.resolve(session);
    await until(() => Promise.resolve(harness.pool.size === 0));
    const run = new AbortController();
    expect((await callOffered(offer, 'mcp__raw__echo', {}, run.signal)).outcome).toBe('ok');
    await new Promise((resolve) => setTimeout(resolve, 500));
    expect(harness.pool.size).toBe(1);
    run.abort();
    await until(() => Promise.resolve(harness.pool.size === 0));
  });

  it('annotations count for nothing, unless the operator trusts the server', async () => {
    const server = await raw({ tools: [anyTool('t', { annotations: { readOnlyHint: true } })] });
    const session = sessionWith({ raw: server.config });
    const flags = ({ readOnly, idempotent }: { readOnly: boolean; idempotent: boolean }) => [
      readOnly,
      idempotent,
    ];
    expect(flags(toolOf(await harness.pool.resolve(session), 'mcp__raw__t'))).toEqual([false, false]);
    await harness.pool.close();
    harness = makePool({ trusts: ({ kind }) => kind === 'stdio' });
    expect(flags(toolOf(await harness.pool.resolve(session), 'mcp__raw__t'))).toEqual([true, true]);
  });

  it('references are resolved for the server alone: no result, reason or report shows what they stand for', async () => {
    harness = makePool({ referenced: { TOKEN: 'very-secret-value', DATABASE_URL: 'postgres://x' } });
    const server = await raw(tools('env'));
    const offer = await harness.pool.resolve(
      sessionWith({
        raw: { ...server.config, env: { API: 'k=${env:TOKEN}' } },
        broken: { command: 'sh', args: ['-c', 'echo "no ${env:TOKEN}" >&2; exit 1'] },
        unset: { command: 'x', env: { A: '${env:NOT_SET}' } },
        ours: { command: 'x', env: { A: '${env:DATABASE_URL}' } },
      }),
    );
    const { text } = await callOffered(offer, 'mcp__raw__env');
    expect((JSON.parse(text) as { API: string }).API).toBe('k=[secret]');
    expect(JSON.stringify([offer.withheld, harness.faults])).not.toContain('very-secret-value');
    expect(harness.faults.join()).toContain('no [secret]');
    expect(harness.faults.join()).toContain('the variable NOT_SET is not set');
    expect(harness.faults.join()).toContain('the variable DATABASE_URL is not for servers');
  });
});
