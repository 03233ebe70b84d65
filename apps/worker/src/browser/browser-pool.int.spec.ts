import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { chromiumForTests } from '../../../../test/support/chromium.js';
import { until } from '../tools/testing/processes.js';
import { noPage } from './on-page.js';
import { BrowserHarness } from './testing/browser-harness.js';
import { startWebSite, type WebSite } from './testing/web-site.js';

jest.setTimeout(120_000);

const executablePath = chromiumForTests('the browser pool');

(executablePath === null ? describe.skip : describe)('the browser of a worker', () => {
  let site: WebSite;
  let harness: BrowserHarness;
  let nowMs = 1_000_000;
  const idleMs = 1_000;

  beforeAll(async () => {
    site = await startWebSite();
  });
  beforeEach(() => {
    harness = new BrowserHarness(executablePath ?? '', { now: () => nowMs, idleMs, mostIdle: 2 });
  });
  afterEach(() => harness.pool.close());
  afterAll(() => site.stop());

  const pathOf = async (agent: ReturnType<BrowserHarness['agent']>): Promise<string> =>
    (await agent('eval', { script: 'location.pathname' })).text;

  it('starts at the first page; before it every call but goto says that no page is open', async () => {
    const agent = harness.agent('session');
    const given: Readonly<Record<string, object>> = {
      eval: { script: '1' },
      fill: { selector: 'x', text: '' },
      click: { selector: 'x' },
    };
    for (const name of ['console', 'network', 'screenshot', 'eval', 'fill', 'click'])
      expect(await agent(name, given[name])).toEqual(noPage);
    expect((await agent('close')).text).toBe('No page was open.');
    expect(harness.browsers).toHaveLength(0);
  });

  it('gives each agent a page with its own buffers, the agents of a session one set of cookies, sessions none of each other', async () => {
    const parent = harness.agent('s1');
    const fork = harness.agent('fork', ['s1']);
    const stranger = harness.agent('s2');
    await parent('goto', { url: `${site.address}/cookie` });
    await fork('goto', { url: `${site.address}/fork` });
    await stranger('goto', { url: `${site.address}/stranger` });
    expect(site.asked).toEqual(
      expect.arrayContaining(['GET /cookie -', 'GET /fork seen=yes', 'GET /stranger -']),
    );
    await fork('eval', { script: 'console.log("of the fork")' });
    expect([await pathOf(parent), await pathOf(fork)]).toEqual(['/cookie', '/fork']);
    expect((await parent('console')).text).not.toContain('of the fork');
    expect((await fork('console')).text).toContain('of the fork');
    expect(harness.browsers).toHaveLength(1);
  });

  it('shows an agent without a page that of the nearest agent above it, and lets it act on none but its own', async () => {
    const parent = harness.agent('s1');
    const middle = harness.agent('middle', ['s1']);
    const explorer = harness.agent('explorer', ['middle', 's1']);
    await parent('goto', { url: `${site.address}/noise` });
    const seen = await explorer('console', { last: 1 });
    expect(seen.text).toContain('(the page of agent s1; yours is not open)');
    expect(seen.text).toContain('line 600');
    expect(await explorer('eval', { script: '1' })).toEqual(noPage);
    await middle('goto', { url: `${site.address}/other` });
    expect((await explorer('screenshot')).text).toContain('(the page of agent middle; yours is not open)');
    expect((await parent('console', { last: 1 })).text).toContain('line 600');
    expect(await harness.agent('explorer', ['s2'])('console')).toEqual(noPage);
  });

  it('keeps a page from run to run while it is used now and then, and then closes it, its session and itself', async () => {
    const run = new AbortController();
    const agent = harness.agent('fork', ['s1'], run.signal);
    await agent('goto', { url: `${site.address}/other` });
    nowMs += idleMs * 5;
    await harness.pool.sweep();
    expect(await pathOf(agent)).toBe('/other');
    run.abort();
    nowMs += idleMs;
    await harness.pool.sweep();
    expect(await pathOf(harness.agent('fork', ['s1'], AbortSignal.abort()))).toContain('Cancelled');
    const next = new AbortController();
    expect(await pathOf(harness.agent('fork', ['s1'], next.signal))).toBe('/other');
    next.abort();
    for (const browsers of [true, true, false]) {
      expect(harness.browsers[0]?.browser.isConnected()).toBe(browsers);
      nowMs += idleMs + 1;
      await harness.pool.sweep();
    }
    expect(await harness.agent('fork', ['s1'])('console')).toEqual(noPage);
  });

  it('closes the page of an agent that ended at once, and of those that wait the one used longest ago', async () => {
    for (const name of ['a', 'b', 'c']) {
      const run = new AbortController();
      await harness.agent(name, ['s1'], run.signal)('goto', { url: `${site.address}/${name}` });
      nowMs += 1;
      run.abort();
    }
    await harness.pool.sweep();
    expect(await harness.agent('a', ['s1'])('eval', { script: '1' })).toEqual(noPage);
    expect(await pathOf(harness.agent('b', ['s1']))).toBe('/b');
    await harness.pool.closePage({ agentId: 'b', lineage: ['s1'] });
    expect(await harness.agent('b', ['s1'])('eval', { script: '1' })).toEqual(noPage);
    expect(
      harness.browsers[0]?.browser.contexts().flatMap((context) => context.pages().map((page) => page.url())),
    ).not.toContain(`${site.address}/b`);
  });

  it('starts again after its browser went away, and says to everybody that no page is open', async () => {
    const agent = harness.agent('s1');
    await agent('goto', { url: `${site.address}/other` });
    const cdp = await harness.browsers[0]?.browser.newBrowserCDPSession();
    await cdp?.send('Browser.crash').catch(() => undefined);
    await until(() => Promise.resolve(harness.browsers[0]?.browser.isConnected() === false));
    expect(await agent('console')).toEqual(noPage);
    expect((await agent('goto', { url: `${site.address}/other` })).outcome).toBe('ok');
    expect(harness.browsers).toHaveLength(2);
  });

  it('a browser that cannot be started is an error in words, and is tried again', async () => {
    const broken = new BrowserHarness('/bin/false');
    const agent = broken.agent('s1');
    for (let attempt = 0; attempt < 2; attempt += 1)
      expect(await agent('goto', { url: site.address })).toMatchObject({
        outcome: 'error',
        text: expect.stringContaining('The browser could not be started') as unknown,
      });
    await broken.pool.close();
  });
});
