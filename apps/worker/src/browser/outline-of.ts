import type { AgentPage } from './agent-page.js';

const OUTLINE_MS = 5_000;

/** What is on a page, as the tree that assistive technology sees; a page that is too busy to say has none. */
export async function outlineOf({ page }: AgentPage, signal: AbortSignal): Promise<string> {
  try {
    const outline = await page.ariaSnapshot({ timeout: OUTLINE_MS, signal });
    return outline === '' ? '[The page is empty.]' : outline;
  } catch (error) {
    if (signal.aborted) throw error;
    return '[The page gives no outline.]';
  }
}
