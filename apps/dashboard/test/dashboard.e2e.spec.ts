import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { chromium, type Browser, type BrowserContextOptions, type Locator, type Page } from 'playwright-core';
import { chromiumForTests } from '../../../test/support/chromium.js';
import type { FixtureLog } from './fixture-log.js';
import { startFixtureServer, type FixtureServer } from './fixture-server.js';
import { story, tellStory } from './fixture-story.js';

jest.setTimeout(60_000);

const executablePath = chromiumForTests('the dashboard');
const inBrowser = executablePath === null ? describe.skip : describe;

inBrowser('the dashboard in a browser', () => {
  let folder: string;
  let browser: Browser;
  let log: FixtureLog;
  let server: FixtureServer;
  let complaints: string[];
  const pages: Page[] = [];

  beforeAll(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'offshoot-dashboard-'));
    const script = path.resolve(import.meta.dirname, '../../../scripts/build-dashboard.mjs');
    await promisify(execFile)(process.execPath, [script, '--outdir', folder]);
    browser = await chromium.launch({
      executablePath: executablePath ?? '',
      args: [
        '--headless',
        '--no-sandbox',
        '--disable-gpu',
        '--no-first-run',
        '--disable-background-networking',
      ],
    });
  });
  afterAll(async () => {
    await browser.close();
    await rm(folder, { recursive: true });
  });
  beforeEach(async () => {
    log = tellStory();
    complaints = [];
    server = await startFixtureServer(folder, log);
  });
  afterEach(async () => {
    await Promise.all(pages.splice(0).map((page) => page.context().close()));
    await server.close();
  });

  /** What axe finds wrong on a page as it stands. */
  const violationsOn = async (page: Page): Promise<readonly string[]> => {
    await page.evaluate(await readFile(createRequire(import.meta.url).resolve('axe-core'), 'utf8'));
    const { violations } = await page.evaluate<{ violations: { id: string }[] }>('axe.run()');
    return violations.map(({ id }) => id);
  };
  const open = async (hash: string, options: BrowserContextOptions = {}): Promise<Page> => {
    const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, ...options });
    const page = await context.newPage();
    pages.push(page);
    page.on('pageerror', (error) => complaints.push(error.message));
    page.on('console', (message) => {
      if (/Content Security Policy|violates/i.test(message.text())) complaints.push(message.text());
    });
    await page.goto(`${server.url}/${hash}`);
    await page.getByText('Live', { exact: true }).waitFor();
    await line(page, story.session).waitFor();
    return page;
  };
  const line = (page: Page, id: string): Locator => page.locator(`[role=treeitem][data-agent="${id}"]`);
  const entries = (page: Page): Locator => page.locator('.entries > li');

  it('shows sessions and their forks as a tree, under a strict content policy', async () => {
    const page = await open('#/');
    const restricted = line(page, story.restricted);
    await restricted.waitFor();
    expect(await restricted.getAttribute('aria-level')).toBe('2');
    expect(await line(page, story.session).getAttribute('aria-expanded')).toBe('true');
    expect(await restricted.innerText()).toMatch(/fork · epoch 1 · worker-ash · 1 refused\s+running/);
    expect(complaints).toEqual([]);
  });

  it('a refusal that happens now appears in the transcript, the tree and above the transcript', async () => {
    const page = await open(`#/agents/${story.restricted}`);
    await entries(page).getByText('grep_search', { exact: true }).waitFor();
    log.commit(story.restricted, 'ToolCallRefused', {
      call: { turn: 3, index: 0 },
      tool: 'write_file',
      reason: 'not_in_allowlist',
    });
    await entries(page).getByText('write_file', { exact: true }).waitFor();
    await line(page, story.restricted).getByText('2 refused').waitFor();
    await page.getByLabel('Refused, in doubt or waiting').getByText('write_file').waitFor();
    expect(complaints).toEqual([]);
  });

  it('shows a picture that a call came to, and says of one that is gone that it is', async () => {
    const page = await open(`#/agents/${story.restricted}`);
    const finish = (index: number, picture: object): void => {
      const call = { turn: 70, index };
      log.commit(story.restricted, 'ToolCallFinished', {
        call,
        name: 'browser_screenshot',
        outcome: 'ok',
        content: 'The page as it stands.',
        picture,
      });
    };
    finish(0, { mediaType: 'image/png', blob: 'there' });
    const shown = page.getByRole('img', { name: 'Picture of browser_screenshot' });
    await shown.scrollIntoViewIfNeeded();
    await page.waitForFunction('document.querySelector(".picture img")?.naturalWidth === 1');
    finish(1, { mediaType: 'image/png' });
    await page.getByText('The picture cannot be shown').waitFor();
    finish(2, { mediaType: 'image/svg+xml', blob: 'there' });
    const kept = page.getByRole('link', { name: 'Download the picture' });
    expect(await kept.getAttribute('href')).toMatch(/^\/v1\/agents\/[^/]+\/transcript\/\d+\/picture$/);
    expect(await page.locator('.picture img').count()).toBe(1);
    expect(await violationsOn(page)).toEqual([]);
    expect(complaints).toEqual([]);
  });

  it('a launch that was refused stands among the refusals, with its reason and what was asked for', async () => {
    const page = await open(`#/agents/${story.session}`);
    log.commit(story.session, 'LaunchRefused', {
      code: 'ALLOWLIST_INVALID',
      message: 'fork_tools: "*" is a bare star.',
      offenders: ['*'],
      requested: '{"fork_tools":["*"]}',
    });
    await page.getByLabel('Refused, in doubt or waiting').getByText('allowlist invalid').waitFor();
    await page.getByRole('button', { name: 'Refusals' }).click();
    await entries(page).getByText('is a bare star').waitFor();
    expect(await entries(page).count()).toBe(1);
    expect(complaints).toEqual([]);
  });

  it('[OPS-2] a cut stream resumes from its last id: nothing is missed, nothing is there twice', async () => {
    const page = await open(`#/agents/${story.restricted}`);
    log.commit(story.restricted, 'TurnRecorded', { turn: 90 });
    await entries(page).getByText('Turn 90').waitFor();
    const lastCursor = log.events.at(-1)?.cursor;
    server.cutStreams();
    log.commit(story.restricted, 'TurnRecorded', { turn: 91 });
    log.commit(story.restricted, 'TurnRecorded', { turn: 92 });
    await entries(page).getByText('Turn 92').waitFor();
    expect(server.resumedFrom.at(-1)).toBe(lastCursor);
    for (const turn of [90, 91, 92]) {
      expect(await entries(page).getByText(`Turn ${turn}`, { exact: true }).count()).toBe(1);
    }
  });

  it('a gap makes the page read everything again', async () => {
    const page = await open(`#/agents/${story.restricted}`);
    log.commit(story.restricted, 'TurnRecorded', { turn: 90 });
    await entries(page).getByText('Turn 90').waitFor();
    server.forgetCursors();
    server.cutStreams();
    log.commit(story.restricted, 'TurnRecorded', { turn: 91 });
    log.commit(story.finished, 'AgentFailed', {}, { status: 'failed' });
    await entries(page).getByText('Turn 91').waitFor();
    await line(page, story.finished).getByText('failed').waitFor();
    await page.getByText('Live', { exact: true }).waitFor();
  });

  it('a payload too large for the stream is read from the transcript', async () => {
    const page = await open(`#/agents/${story.restricted}`);
    log.commit(story.restricted, 'TurnRecorded', { turn: 90 });
    await entries(page).getByText('Turn 90').waitFor();
    const call = { turn: 90, index: 0, providerId: 'large' };
    log.commit(story.restricted, 'ToolCallFinished', {
      call,
      name: 'read_file',
      outcome: 'ok',
      content: 'x'.repeat(99_000),
    });
    await entries(page).getByText('99 k characters').waitFor();
    log.commit(story.restricted, 'TurnRecorded', { turn: 91 });
    await entries(page).getByText('Turn 91').waitFor();
  });

  it('an agent that is launched while the page is open joins the tree', async () => {
    const page = await open('#/');
    log.addAgent({
      id: 'fresh',
      kind: 'fork',
      status: 'queued',
      description: 'Fresh fork',
      parentId: story.session,
    });
    log.commit('fresh', 'AgentLaunched', { kind: 'fork' });
    await line(page, 'fresh').getByText('Fresh fork').waitFor();
  });

  it('text of an agent is text, whatever it looks like', async () => {
    const page = await open('#/');
    const description = '<img src=x onerror="document.title=1"> \n\nevent: gap\ndata: {}';
    log.addAgent({ id: 'sly', kind: 'fork', status: 'running', description, parentId: story.session });
    log.commit('sly', 'AgentLaunched', { description });
    await line(page, 'sly').getByText('<img src=x').waitFor();
    expect(await page.locator('img').count()).toBe(0);
    expect(complaints).toEqual([]);
  });

  it('the tree is used with the keyboard: one tab stop, arrows, Enter opens', async () => {
    const page = await open('#/');
    expect(await page.locator('[role=treeitem][tabindex="0"]').count()).toBe(1);
    await line(page, story.session).focus();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Backfill ledger entries for March' }).waitFor();
    expect(await line(page, story.revived).getAttribute('aria-selected')).toBe('true');
    await page.keyboard.press('ArrowLeft');
    await page.keyboard.press('ArrowLeft');
    await line(page, story.revived).waitFor({ state: 'detached' });
    expect(await line(page, story.session).getAttribute('aria-expanded')).toBe('false');
  });

  it('a crash and its revival are two epochs on the timeline, with the cause and the doubt', async () => {
    const page = await open(`#/agents/${story.revived}`);
    const runs = page.locator('.runs li');
    await runs.nth(1).waitFor();
    expect(await runs.nth(0).innerText()).toMatch(/epoch 1 worker-oak[\s\S]*interrupted: crashed/);
    expect(await runs.nth(1).innerText()).toMatch(/epoch 2 worker-elm[\s\S]*parked: approval[\s\S]*revival/);
    expect(await entries(page).getByText('outcome unknown').count()).toBe(1);
  });

  it('an empty list is said to deny every tool, an absent restriction to add none', async () => {
    const page = await open(`#/agents/${story.denied}`);
    await page.getByText('Denies every tool.').waitFor();
    await page.getByText('0 of 13 declared tools executable now').waitFor();
    await page.getByText('Blocked: no tool left.').waitFor();
    await line(page, story.finished).click();
    await page.getByText('Unrestricted.').waitFor();
  });

  it('an approval is answered on the page of the agent that waits', async () => {
    const page = await open(`#/agents/${story.revived}`);
    await page.getByRole('button', { name: 'Deny' }).click();
    await entries(page).getByText('denied', { exact: true }).waitFor();
    await page.getByRole('link', { name: 'Inbox 0' }).waitFor();
  });

  it('an approval is answered from the inbox, once', async () => {
    const page = await open('#/');
    await page.getByRole('link', { name: 'Inbox 1' }).click();
    await page.getByRole('button', { name: 'Allow this call' }).click();
    await page.getByText('No call waits for an answer.').waitFor();
    const posts = server.requests.filter((request) => request.startsWith('POST'));
    expect(posts).toEqual([`POST /v1/approvals/${story.approval} {"decision":"allow"}`]);
  });

  it('a question appears as it is asked and is answered with an option or in own words; axe finds nothing', async () => {
    const page = await open('#/approvals');
    const ask = (id: string): void => {
      log.questions.push({
        id,
        agentId: story.session,
        to: 'user',
        text: 'Which ledger?',
        options: ['March', 'April'],
        askedAt: log.now,
        expiresAt: null,
      });
      log.commit(story.session, 'QuestionAsked', { questionId: id, text: 'Which ledger?', to: 'user' });
    };
    ask('question-1');
    await page.getByRole('link', { name: 'Inbox 2' }).waitFor();
    await page.getByText('Which ledger?').waitFor();
    expect(await violationsOn(page)).toEqual([]);
    await page.getByRole('button', { name: 'April' }).click();
    await page.getByRole('link', { name: 'Inbox 1' }).waitFor();
    ask('question-2');
    await page.getByRole('textbox', { name: 'Answer' }).focus();
    await page.keyboard.type('all of them');
    await page.keyboard.press('Enter');
    await page.getByRole('link', { name: 'Inbox 1' }).waitFor();
    const posts = server.requests.filter((request) => request.startsWith('POST'));
    expect(posts).toEqual([
      'POST /v1/questions/question-1 {"text":"April"}',
      'POST /v1/questions/question-2 {"text":"all of them"}',
    ]);
  });

  it('a refused cookie is said, with what to do', async () => {
    const page = await open('#/');
    server.refuseWith(401);
    server.cutStreams();
    await page.getByText('Signed out: open the link that the server printed').waitFor();
  });

  it('ten thousand agents are in the tree, those in sight are in the document', async () => {
    for (let index = 0; index < 10_000; index += 1) {
      log.addAgent({ id: `many-${index}`, kind: 'fork', status: 'completed', parentId: story.session });
    }
    const page = await open('#/');
    await page.getByText('10007 agents').waitFor();
    expect(await page.locator('[role=treeitem]').count()).toBeLessThan(80);
    await page.keyboard.press('Tab');
    await line(page, story.session).focus();
    await page.keyboard.press('End');
    await line(page, story.otherSession).and(page.locator(':focus')).waitFor();
    expect(await page.locator('[role=treeitem]:focus').count()).toBe(1);
  });

  it('at the width of a phone nothing is wider than the page, and an opened agent takes its place', async () => {
    const page = await open('#/', { viewport: { width: 360, height: 740 } });
    await line(page, story.restricted).click();
    await page.getByRole('heading', { level: 1, name: 'Audit rounding in invoices' }).waitFor();
    expect(await page.getByRole('tree').isVisible()).toBe(false);
    expect(await page.getByRole('complementary').isVisible()).toBe(false);
    const overflow = await page.evaluate(() => {
      const main = document.querySelector('main');
      return [document.body, main].map(
        (element) => (element?.scrollWidth ?? 0) - (element?.clientWidth ?? 0),
      );
    });
    expect(overflow).toEqual([0, 0]);
    await page.getByRole('link', { name: 'All agents' }).click();
    await line(page, story.restricted).waitFor();
  });
});
