import type { AgentPage } from './agent-page.js';
import type { Chromium } from './open-chromium.js';
import { SessionBrowser } from './session-browser.js';

/** An agent as far as its page is concerned; a `ToolContext` is one. */
export interface Viewer {
  readonly agentId: string;
  /** The agents above it, nearest first; its session is the last. */
  readonly lineage: readonly string[];
  readonly signal: AbortSignal;
}

/** A page that an agent may look at, and whose it is. */
export interface Sight {
  readonly page: AgentPage;
  readonly ownerId: string;
}

export interface BrowserPoolOptions {
  readonly launch: () => Promise<Chromium>;
  readonly now?: () => number;
  /** How long a page outlives the last run that used it, so that it is still there after an approval. */
  readonly idleMs?: number;
  /** How many pages of a session may wait so; the one used longest ago is closed first. */
  readonly mostIdle?: number;
}

const IDLE_MS = 15 * 60_000;
const MOST_IDLE = 8;
const SWEEP_MS = 30_000;

const sessionOf = ({ agentId, lineage }: Pick<Viewer, 'agentId' | 'lineage'>): string =>
  lineage.at(-1) ?? agentId;

/**
 * The browser of a worker: started at the first page, one context for each session, one page for each agent. What is lost with the
 * browser or the worker is lost: the next call says that no page is open.
 */
export class BrowserPool {
  private readonly sessions = new Map<string, Promise<SessionBrowser>>();
  private readonly launch: () => Promise<Chromium>;
  private readonly now: () => number;
  private readonly idleMs: number;
  private readonly mostIdle: number;
  private chromium: Promise<Chromium> | null = null;
  private sweeper: NodeJS.Timeout | null = null;
  private isClosed = false;

  constructor({ launch, now = Date.now, idleMs = IDLE_MS, mostIdle = MOST_IDLE }: BrowserPoolOptions) {
    this.launch = launch;
    this.now = now;
    this.idleMs = idleMs;
    this.mostIdle = mostIdle;
  }

  /** The agent's own page; opens it, and all that it needs. Rejects when the browser cannot be started. */
  async open(viewer: Viewer): Promise<AgentPage> {
    if (this.isClosed) throw new Error('The worker is shutting down.');
    const session = await this.sessionFor(sessionOf(viewer));
    return session.open(viewer.agentId, viewer.signal);
  }

  /** The agent's own page, if it is open. */
  async own(viewer: Viewer): Promise<AgentPage | null> {
    const session = await this.sessions.get(sessionOf(viewer));
    return session?.find(viewer.agentId, viewer.signal) ?? null;
  }

  /** The page that the agent sees: its own, else that of the nearest agent above it that has one here. */
  async sight(viewer: Viewer): Promise<Sight | null> {
    const session = await this.sessions.get(sessionOf(viewer));
    for (const ownerId of [viewer.agentId, ...viewer.lineage]) {
      const page = session?.find(ownerId, viewer.signal) ?? null;
      if (page !== null) return { page, ownerId };
    }
    return null;
  }

  /** Closes the agent's page, if it is open. */
  async closePage(agent: Pick<Viewer, 'agentId' | 'lineage'>): Promise<void> {
    const session = await this.sessions.get(sessionOf(agent))?.catch(() => null);
    await session?.closePage(agent.agentId);
  }

  /** Closes what nobody used for long: pages, then sessions without pages, then the browser. */
  async sweep(): Promise<void> {
    const usedBeforeMs = this.now() - this.idleMs;
    for (const [sessionId, opening] of this.sessions) {
      const session = await opening.catch(() => null);
      if (session !== null && !(await session.sweep(usedBeforeMs, this.mostIdle))) continue;
      this.sessions.delete(sessionId);
      await session?.close();
    }
    if (this.sessions.size === 0) await this.endBrowser();
  }

  /** Ends the browser for good. Resolves when nothing of it is left. */
  async close(): Promise<void> {
    this.isClosed = true;
    await this.endBrowser();
  }

  private sessionFor(sessionId: string): Promise<SessionBrowser> {
    const known = this.sessions.get(sessionId);
    if (known !== undefined) return known;
    const opening = this.browser().then(({ browser }) => SessionBrowser.open(browser, this.now));
    this.sessions.set(sessionId, opening);
    opening.catch(() => this.forget(sessionId, opening));
    return opening;
  }

  private forget(sessionId: string, opening: Promise<SessionBrowser>): void {
    if (this.sessions.get(sessionId) === opening) this.sessions.delete(sessionId);
  }

  private browser(): Promise<Chromium> {
    if (this.chromium !== null) return this.chromium;
    const starting = this.launch();
    this.chromium = starting;
    this.sweeper ??= setInterval(() => void this.sweep(), SWEEP_MS).unref();
    starting.then(
      (chromium) => chromium.browser.once('disconnected', () => void this.lose(starting)),
      () => void this.lose(starting),
    );
    return starting;
  }

  /** A browser that went away took every page with it; what it left on the machine goes too. */
  private async lose(lost: Promise<Chromium>): Promise<void> {
    if (this.chromium === lost) {
      this.chromium = null;
      this.sessions.clear();
    }
    const chromium = await lost.catch(() => null);
    await chromium?.close();
  }

  private async endBrowser(): Promise<void> {
    if (this.sweeper !== null) clearInterval(this.sweeper);
    this.sweeper = null;
    const ending = this.chromium;
    if (ending !== null) await this.lose(ending);
  }
}
