import { readFile, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { chromium, type Browser, type BrowserContext, type Locator, type Page } from 'playwright-core';
import { launchFork, openSession, untilEnded } from '../../../test/support/e2e/agents.js';
import { chromiumForTests } from '../../../test/support/chromium.js';
import { untilAsked } from '../../../test/support/e2e/approvals.js';
import { startSystem, type TestSystem } from '../../../test/support/e2e/start-system.js';

jest.setTimeout(120_000);

const executablePath = chromiumForTests('the dashboard over a real orchestrator');

/** A fork that is refused a write, then waits for an approval, then ends. */
const script = {
  rules: [
    { when: { toolResultsSinceLastUser: { atLeast: 2 } }, answer: { text: 'All <b>done</b>.' } },
    {
      when: { toolResultsSinceLastUser: 1 },
      answer: { toolCalls: [{ name: 'run_shell_command', arguments: { command: 'echo approved' } }] },
    },
    { answer: { toolCalls: [{ name: 'write_file', arguments: { path: 'x.txt', content: 'x' } }] } },
  ],
};

interface AxeResults {
  readonly passes: readonly unknown[];
  readonly violations: readonly {
    readonly id: string;
    readonly nodes: readonly { readonly html: string }[];
  }[];
}

(executablePath === null ? describe.skip : describe)('the dashboard over a real orchestrator', () => {
  let system: TestSystem;
  let browser: Browser;
  let context: BrowserContext;
  let page: Page;
  let workspace: string;
  let complaints: string[] = [];

  beforeAll(async () => {
    system = await startSystem({ workers: 1 });
    await system.models.script('watched', script);
    workspace = await mkdtemp(path.join(tmpdir(), 'offshoot-watched-'));
    await writeFile(path.join(workspace, 'input.txt'), 'the input\n');
    const args = ['--headless', '--no-sandbox', '--disable-gpu', '--no-first-run'];
    browser = await chromium.launch({ executablePath: executablePath ?? '', args });
    context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
    page = await context.newPage();
    page.on('pageerror', (error) => complaints.push(error.message));
    page.on('console', (message) => {
      if (/Content Security Policy|violates/i.test(message.text())) complaints.push(message.text());
    });
    await page.goto(system.loginUrl);
    await page.getByText('Live', { exact: true }).waitFor();
  });
  afterEach(() => {
    expect(complaints).toEqual([]);
    complaints = [];
  });
  afterAll(async () => {
    await browser.close();
    await system.stop();
    await rm(workspace, { recursive: true });
  });

  const line = (id: string): Locator => page.locator(`[role=treeitem][data-agent="${id}"]`);
  const openSessionHere = (): Promise<string> =>
    openSession(system.api, { projectRoot: workspace, model: 'scripted:watched', approvalMode: 'default' });

  /** What axe finds wrong on the page as it stands. */
  async function violations(): Promise<readonly string[]> {
    // As an expression of the debugger: the content policy lets no script in.
    await page.evaluate(await readFile(createRequire(import.meta.url).resolve('axe-core'), 'utf8'));
    const results = await page.evaluate<AxeResults>('axe.run()');
    expect(results.passes.length).toBeGreaterThan(10);
    return results.violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`));
  }

  it('[SEC-1] is opened by the one-time link, which leaves no token behind and works once', async () => {
    expect(page.url()).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/(#.*)?$/);
    const [cookie, ...others] = await context.cookies();
    expect(others).toEqual([]);
    expect(cookie).toMatchObject({ httpOnly: true, sameSite: 'Strict', path: '/' });
    const stranger = await browser.newContext();
    const again = await stranger.request.get(system.loginUrl);
    expect(again.status()).toBe(401);
    expect((await stranger.request.get(`${system.api.address}/v1/agents`)).status()).toBe(401);
    await stranger.close();
  });

  it('shows a fork that is launched over the API live: its refusal, its approval, its end, without a reload', async () => {
    const session = await openSessionHere();
    await line(session).waitFor();
    const tools = ['read_file', 'run_shell_command'];
    const fork = await launchFork(system.api, session, 'Write, then run.', tools);
    await line(fork).getByText('waiting').waitFor();
    await line(fork).getByText('1 refused').waitFor();
    await line(fork).click();
    await page.getByLabel('Refused, in doubt or waiting').getByText('write_file').waitFor();
    const [approval] = await untilAsked(system.api, [fork]);
    expect(approval?.tool).toBe('run_shell_command');
    await page.getByRole('button', { name: 'Allow this call' }).click();
    await line(fork).getByText('completed').waitFor();
    expect((await untilEnded(system.api, fork)).outcome?.result).toBe('All <b>done</b>.');
    await page.locator('main').getByText('All <b>done</b>.').first().waitFor();
    expect(await page.evaluate('performance.getEntriesByType("navigation").length')).toBe(1);
  });

  it('axe finds nothing to complain about, in light and in dark, on each of its pages', async () => {
    const session = await openSessionHere();
    const fork = await launchFork(system.api, session, 'Write, then run.', ['run_shell_command']);
    await untilAsked(system.api, [fork]);
    const found: (readonly [string, readonly string[]])[] = [];
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      for (const hash of ['#/', `#/agents/${session}`, `#/agents/${fork}`, '#/approvals']) {
        await page.goto(`${system.api.address}/${hash}`);
        await page.getByText('Live', { exact: true }).waitFor();
        await line(fork).waitFor();
        found.push([`${colorScheme} ${hash.slice(0, 9)}`, await violations()] as const);
      }
    }
    expect(found.filter(([, complaint]) => complaint.length > 0)).toEqual([]);
    expect(found).toHaveLength(8);
  });
});
