import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { chromiumForTests } from '../../../../test/support/chromium.js';
import { BrowserHarness, type Caller } from './testing/browser-harness.js';
import { startWebSite, type WebSite } from './testing/web-site.js';

jest.setTimeout(120_000);

const executablePath = chromiumForTests('the browser tools');

(executablePath === null ? describe.skip : describe)('browser tools', () => {
  let site: WebSite;
  let harness: BrowserHarness;
  let call: Caller;

  beforeAll(async () => {
    site = await startWebSite();
    harness = new BrowserHarness(executablePath ?? '');
    call = harness.agent('session');
  });
  afterAll(async () => {
    await harness.pool.close();
    await site.stop();
  });

  it('open, fill, click and read a page, and say what it printed and loaded', async () => {
    const opened = await call('goto', { url: site.address });
    expect(opened).toMatchObject({ outcome: 'ok' });
    expect(opened.text).toContain(`Answered 200: ${site.address}/ "A page"`);
    expect(opened.text).toContain('button "Order"');
    expect(await call('fill', { selector: '#name', text: 'Zoë' })).toMatchObject({ outcome: 'ok' });
    expect((await call('click', { selector: 'role=button' })).text).toContain('heading "Thanks, Zoë"');
    expect((await call('eval', { script: 'document.querySelector("h1").textContent' })).text).toBe(
      'Thanks, Zoë',
    );
    expect((await call('console')).text).toContain('log ordered Zoë');
    expect((await call('network')).text).toContain('/order?by=Zo%C3%AB 200 fetch');
  });

  it('a picture is stored by its hash and stands in the result with its type and size', async () => {
    await call('goto', { url: site.address });
    const { outcome, text, picture } = await call('screenshot');
    expect(outcome).toBe('ok');
    const bytes = (await harness.store.readBlob(picture?.blob ?? '')) ?? Buffer.alloc(0);
    expect(Buffer.from(bytes).subarray(1, 4).toString()).toBe('PNG');
    expect(createHash('sha256').update(bytes).digest('hex')).toBe(picture?.blob);
    expect(picture).toMatchObject({ mediaType: 'image/png', sizeBytes: bytes.length });
    expect(text).toContain(`[image/png, ${bytes.length} bytes, stored as ${picture?.blob}]`);
    expect(text).toContain('heading "Order"');
  });

  it('the console is bounded, and reading takes nothing out of it', async () => {
    await call('goto', { url: `${site.address}/noise` });
    const all = await call('console', { last: 500 });
    const lines = (all.full ?? '').split('\n');
    expect(lines.at(-1)).toMatch(/^#\d+ log line 600 /);
    expect(lines[1]).toMatch(/^\[\d+ earlier\]$/);
    expect(lines).toHaveLength(502);
    expect(await call('console', { last: 500 })).toEqual(all);
    await call('goto', { url: `${site.address}/errors` });
    await call('eval', { script: 'new Promise((go) => setTimeout(go, 50))' });
    const errors = (await call('console')).text;
    expect(errors).toContain('uncaught Error: broken');
    expect(errors).not.toContain('x'.repeat(1_001));
    expect((await call('network')).text).toContain('/missing.png 404 image');
  });

  it('[M15] a long page is cut for the model at whole code points, the whole kept beside it', async () => {
    const { text, full } = await call('goto', { url: `${site.address}/long` });
    expect(Array.from(text).length).toBeLessThanOrEqual(20_000);
    expect(text).toContain('characters cut here');
    expect(text.isWellFormed()).toBe(true);
    expect(full).toContain('Row 2999 🙂');
    const long = await call('eval', { script: '({ text: "🙂".repeat(1000000) })' });
    expect(Array.from(long.text).length).toBeLessThanOrEqual(20_000);
    expect(long.full?.length).toBe(400_000);
  });

  it.each([
    ['file:///etc/hostname', 'only http and https'],
    ['chrome://version', 'only http and https'],
    ['data:text/html,x', 'only http and https'],
    ['javascript:alert(1)', 'only http and https'],
    ['view-source:http://example.com', 'only http and https'],
    ['http://me:secret@127.0.0.1/', 'user name or password'],
    ['example.com', 'not a URL'],
  ])('%s is refused in words, and the page stays where it was', async (url, words) => {
    await call('goto', { url: `${site.address}/other` });
    expect(await call('goto', { url })).toMatchObject({
      outcome: 'error',
      text: expect.stringContaining(words) as unknown,
    });
    expect((await call('eval', { script: 'location.pathname' })).text).toBe('/other');
  });

  it.each(['location.href = "file:///etc/hostname"', 'window.open("file:///etc/hostname")', 'a.click()'])(
    'no file of the machine is opened from within a page: %s',
    async (way) => {
      await call('goto', { url: `${site.address}/out` });
      await call('eval', { script: `const a = document.querySelector("a"); ${way}; null` });
      await call('eval', { script: 'new Promise((go) => setTimeout(go, 100))' });
      expect((await call('eval', { script: 'location.protocol' })).text).toBe('http:');
    },
  );

  it('dialogs are dismissed, new windows and downloads refused, each with a line in the console', async () => {
    await call('goto', { url: `${site.address}/dialog` });
    expect((await call('click', { selector: 'text=Ask' })).text).toContain('false');
    await call('click', { selector: 'text=Other' });
    await call('click', { selector: 'text=Get' });
    await call('eval', { script: 'new Promise((go) => setTimeout(go, 300))' });
    const lines = (await call('console')).text;
    expect(lines).toContain('[a dialog was dismissed: confirm "sure?"]');
    expect(lines).toContain('[a new window was refused');
    expect(lines).toContain('[a download was refused');
    expect((await call('eval', { script: 'location.pathname' })).text).toBe('/dialog');
  });

  it('a script runs whatever the policy of the page, and answers with what it throws or cannot say', async () => {
    await call('goto', { url: `${site.address}/policy` });
    expect((await call('eval', { script: 'const n = await Promise.resolve(6); n * 7' })).text).toBe('42');
    expect((await call('eval', { script: '-0' })).text).toBe('-0');
    expect((await call('eval', { script: 'undefined' })).text).toBe('undefined');
    expect((await call('eval', { script: 'null' })).text).toBe('null');
    expect((await call('eval', { script: 'window' })).text).toBe('[object Window]');
    const thrown = await call('eval', { script: 'throw new TypeError("no")' });
    expect(thrown).toMatchObject({ outcome: 'error' });
    expect(thrown.text).toContain('TypeError: no');
    expect(await call('eval', { script: 'let let' })).toMatchObject({ outcome: 'error' });
  });

  it('a script that does not end is given up, and the page answers again', async () => {
    await call('goto', { url: `${site.address}/other` });
    const looped = await call('eval', { script: 'for (;;) {}', timeout_seconds: 1 });
    expect(looped).toMatchObject({ outcome: 'error' });
    const waited = await call('eval', { script: 'new Promise(() => {})', timeout_seconds: 1 });
    expect(waited.text).toContain('took longer than 1000 ms and was given up');
    expect((await call('eval', { script: '1 + 1' })).text).toBe('2');
  });

  it('an error status and an element that is not there are errors in words', async () => {
    expect(await call('goto', { url: `${site.address}/missing` })).toMatchObject({
      outcome: 'error',
      text: expect.stringContaining('Answered 404') as unknown,
    });
    await call('goto', { url: site.address });
    const many = await call('click', { selector: 'css=*' });
    expect(many).toMatchObject({ outcome: 'error', text: expect.stringContaining('strict mode') as unknown });
    expect(many.text).not.toContain('Call log');
    expect(await call('goto', { url: 'http://127.0.0.1:1/' })).toMatchObject({
      outcome: 'error',
      text: expect.stringContaining('ERR_') as unknown,
    });
  });

  it('[L17] a cancelled call ends at once, and so does one in a page that is in a loop', async () => {
    const cancel = new AbortController();
    const agent = harness.agent('cancelled', ['session'], cancel.signal);
    await agent('goto', { url: `${site.address}/other` });
    const hanging = agent('goto', { url: `${site.address}/never` });
    const script = agent('eval', { script: 'for (;;) {}', timeout_seconds: 30 });
    setTimeout(() => cancel.abort(), 300);
    expect([(await hanging).text, (await script).text]).toEqual(['Cancelled.', 'Cancelled.']);
    expect((await agent('screenshot')).text).toBe('Cancelled before it started.');
    await harness.pool.closePage({ agentId: 'cancelled', lineage: ['session'] });
    expect((await call('eval', { script: '1 + 1' })).text).toBe('2');
  });
});
