import type { Browser, BrowserContext } from 'playwright-core';
import { AgentPage } from './agent-page.js';

const ACTION_MS = 10_000;

interface HeldPage {
  readonly page: AgentPage;
  /** Runs that use it right now. */
  readonly holders: Set<AbortSignal>;
  usedAtMs: number;
}

/** What one session has in the browser of a worker: a context (cookies, storage) and a page for each of its agents. */
export class SessionBrowser {
  private readonly pages = new Map<string, HeldPage>();
  private usedAtMs: number;

  private constructor(
    private readonly context: BrowserContext,
    private readonly now: () => number,
  ) {
    this.usedAtMs = now();
  }

  /** A context that shares nothing with any other, takes no download and keeps no worker behind a page's back. */
  static async open(browser: Browser, now: () => number): Promise<SessionBrowser> {
    const context = await browser.newContext({ acceptDownloads: false, serviceWorkers: 'block' });
    context.setDefaultTimeout(ACTION_MS);
    return new SessionBrowser(context, now);
  }

  /** The agent's page, opened at its first use; the run of `signal` holds it. */
  async open(agentId: string, signal: AbortSignal): Promise<AgentPage> {
    const known = this.find(agentId, signal);
    if (known !== null) return known;
    const page = new AgentPage(await this.context.newPage());
    const overtaken = this.find(agentId, signal);
    if (overtaken !== null) {
      await page.close();
      return overtaken;
    }
    this.pages.set(agentId, { page, holders: new Set(), usedAtMs: this.now() });
    this.find(agentId, signal);
    return page;
  }

  /** The agent's page if it is open; a run that looks at it holds it. */
  find(agentId: string, signal: AbortSignal): AgentPage | null {
    const held = this.pages.get(agentId);
    if (held === undefined) return null;
    if (held.page.isGone) {
      this.pages.delete(agentId);
      return null;
    }
    this.hold(held, signal);
    return held.page;
  }

  async closePage(agentId: string): Promise<void> {
    const held = this.pages.get(agentId);
    this.pages.delete(agentId);
    this.usedAtMs = this.now();
    await held?.page.close();
  }

  /** Closes the pages that nobody holds and nobody used since; true when the session itself is as old. */
  async sweep(usedBeforeMs: number, mostIdle: number): Promise<boolean> {
    const idle = [...this.pages].filter(([, { holders }]) => holders.size === 0);
    const byAge = idle.toSorted(([, a], [, b]) => b.usedAtMs - a.usedAtMs);
    const over = byAge.filter(([, held], place) => held.usedAtMs < usedBeforeMs || place >= mostIdle);
    await Promise.all(over.map(([agentId]) => this.closePage(agentId)));
    return this.pages.size === 0 && this.usedAtMs < usedBeforeMs;
  }

  async close(): Promise<void> {
    this.pages.clear();
    await this.context.close().catch(() => undefined);
  }

  private hold(held: HeldPage, signal: AbortSignal): void {
    held.usedAtMs = this.now();
    if (signal.aborted || held.holders.has(signal)) return;
    held.holders.add(signal);
    signal.addEventListener('abort', () => {
      held.holders.delete(signal);
      held.usedAtMs = this.now();
    });
  }
}
