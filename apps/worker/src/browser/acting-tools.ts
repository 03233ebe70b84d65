import { answered, defineTool, failed } from '../tools/define-tool.js';
import { parseWebAddress } from '../tools/parse-web-address.js';
import type { Tool, ToolContext, ToolResult } from '../tools/tool.js';
import type { AgentPage } from './agent-page.js';
import { browserDefinitions } from './browser-definitions.js';
import type { BrowserPool } from './browser-pool.js';
import { evaluateScript } from './evaluate-script.js';
import { answerFaults, noPage } from './on-page.js';
import { outlineOf } from './outline-of.js';

interface Target {
  readonly selector: string;
}
interface Filling extends Target {
  readonly text: string;
}
interface Script {
  readonly script: string;
  readonly timeout_seconds?: number;
}

const NAVIGATION_MS = 30_000;
const USUAL_SCRIPT_SECONDS = 10;
const definitions = browserDefinitions;

/** The five that act, each on the agent's own page only. */
export function actingTools(pool: BrowserPool): readonly Tool[] {
  return [
    defineTool<{ readonly url: string }>(definitions.goto, ({ url }, context) => goTo(pool, url, context)),
    defineTool<Script>(definitions.eval, (given, context) =>
      onOwnPage(pool, context, (page) => run(page, given, context)),
    ),
    defineTool<Filling>(definitions.fill, ({ selector, text }, context) =>
      onOwnPage(pool, context, async ({ page }) => {
        await page.locator(selector).fill(text, { signal: context.signal });
        return answered('The field is filled.', definitions.fill.outputCap);
      }),
    ),
    defineTool<Target>(definitions.click, ({ selector }, context) =>
      onOwnPage(pool, context, async (own) => {
        await own.page.locator(selector).click({ signal: context.signal });
        return show(own, 'Clicked. Now at', context);
      }),
    ),
    defineTool(definitions.close, async (_given, context) => {
      const own = await pool.own(context);
      if (own === null) return answered('No page was open.', definitions.close.outputCap);
      await pool.closePage(context);
      return answered('The page is closed.', definitions.close.outputCap);
    }),
  ];
}

function onOwnPage(
  pool: BrowserPool,
  context: ToolContext,
  act: (page: AgentPage) => Promise<ToolResult>,
): Promise<ToolResult> {
  return answerFaults(context, async () => {
    const own = await pool.own(context);
    return own === null ? noPage : act(own);
  });
}

function goTo(pool: BrowserPool, text: string, context: ToolContext): Promise<ToolResult> {
  const url = parseWebAddress(text);
  if (!(url instanceof URL)) return Promise.resolve(failed(url.problem));
  return answerFaults(context, async () => {
    const own = await pool.open(context);
    const response = await own.page.goto(url.href, {
      waitUntil: 'load',
      timeout: NAVIGATION_MS,
      signal: context.signal,
    });
    const status = response?.status() ?? 0;
    const result = await show(own, `Answered ${status}:`, context);
    return status >= 400 ? { ...result, outcome: 'error' } : result;
  });
}

async function show(own: AgentPage, head: string, { signal }: ToolContext): Promise<ToolResult> {
  const outline = await outlineOf(own, signal);
  return answered(`${head} ${await own.place()}\n${outline}`, definitions.goto.outputCap);
}

async function run(
  { page }: AgentPage,
  { script, timeout_seconds = USUAL_SCRIPT_SECONDS }: Script,
  { signal }: ToolContext,
): Promise<ToolResult> {
  const end = await evaluateScript(page, script, { timeoutMs: timeout_seconds * 1_000, signal });
  return answered(end.text, definitions.eval.outputCap, end.outcome);
}
