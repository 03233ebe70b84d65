import { randomUUID } from 'node:crypto';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Browser, chromium } from 'playwright-core';
import { withDeadline } from '../mcp/with-deadline.js';
import { MARK_VARIABLE } from '../tools/kill-marked.js';
import { ChromiumGuard } from './chromium-guard.js';

/** A browser of this worker. */
export interface Chromium {
  readonly browser: Browser;
  /** Ends it in order, then whatever is left of it. Resolves when nothing is left. */
  close(): Promise<void>;
}

export interface ChromiumProgram {
  readonly executablePath: string;
  /** All of its environment: no key of ours. */
  readonly env: Readonly<Record<string, string>>;
}

const LAUNCH_MS = 30_000;
const CLOSE_MS = 3_000;

/** Root cannot have Chromium's own sandbox; everybody else gets it or no browser. */
const hasSandbox = (): boolean => process.getuid?.() !== 0;

/**
 * Starts a browser that talks over a pipe (a port would be open to every tool on the machine), in a folder of its own that goes with it.
 * The first context, which belongs to the folder, stays unused: sessions get contexts that leave nothing on the disk.
 */
export async function openChromium({ executablePath, env }: ChromiumProgram): Promise<Chromium> {
  const folder = await mkdtemp(join(tmpdir(), 'offshoot-browser-'));
  const mark = randomUUID();
  const guard = await ChromiumGuard.start(mark, folder);
  try {
    const own = await chromium.launchPersistentContext(join(folder, 'profile'), {
      executablePath,
      artifactsDir: join(folder, 'artifacts'),
      headless: true,
      chromiumSandbox: hasSandbox(),
      timeout: LAUNCH_MS,
      env: { ...env, HOME: folder, TMPDIR: folder, [MARK_VARIABLE]: mark },
      // The worker ends in order by itself.
      ...{ handleSIGINT: false, handleSIGTERM: false, handleSIGHUP: false },
    });
    const browser = own.browser();
    if (browser === null) throw new Error('The browser went away at once.');
    return { browser, close: () => close(browser, guard) };
  } catch (error) {
    await guard.finish();
    const [why = ''] = (error as Error).message.split('\n', 1);
    throw new Error(`The browser could not be started: ${why}`, { cause: error });
  }
}

async function close(browser: Browser, guard: ChromiumGuard): Promise<void> {
  await withDeadline(browser.close(), CLOSE_MS, 'Closing the browser').catch(() => undefined);
  await guard.finish();
}
