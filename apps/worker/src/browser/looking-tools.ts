import type { BlobReference } from '#transcripts';
import { answered, defineTool } from '../tools/define-tool.js';
import type { Tool, ToolContext, ToolDefinition, ToolResult } from '../tools/tool.js';
import type { AgentPage } from './agent-page.js';
import { browserDefinitions } from './browser-definitions.js';
import type { BrowserPool, Sight } from './browser-pool.js';
import { answerFaults, noPage } from './on-page.js';
import { outlineOf } from './outline-of.js';

export type SaveBlob = (bytes: Uint8Array) => Promise<BlobReference>;

interface Lines {
  readonly last?: number;
}

const USUAL_LINES = 100;
const PICTURE_MS = 15_000;

/** The three that only look: they take nothing out of a buffer and send nothing out (spec 02 §5). */
export function lookingTools(pool: BrowserPool, saveBlob: SaveBlob): readonly Tool[] {
  const { console, network, screenshot } = browserDefinitions;
  return [
    linesTool(pool, console, (page) => page.console),
    linesTool(pool, network, (page) => page.network),
    defineTool(screenshot, (_given, context) =>
      seen(pool, context, (sight) => takePicture(sight, context, saveBlob)),
    ),
  ];
}

function linesTool(
  pool: BrowserPool,
  definition: ToolDefinition,
  bufferOf: (page: AgentPage) => AgentPage['console'],
): Tool {
  return defineTool<Lines>(definition, ({ last = USUAL_LINES }, context) =>
    seen(pool, context, async (sight) => {
      const lines = bufferOf(sight.page).last(last);
      const shown = lines === '' ? '[Nothing yet.]' : lines;
      return answered(`${await headOf(sight, context)}\n${shown}`, definition.outputCap);
    }),
  );
}

function seen(
  pool: BrowserPool,
  context: ToolContext,
  look: (sight: Sight) => Promise<ToolResult>,
): Promise<ToolResult> {
  return answerFaults(context, async () => {
    const sight = await pool.sight(context);
    return sight === null ? noPage : look(sight);
  });
}

async function headOf({ page, ownerId }: Sight, { agentId }: ToolContext): Promise<string> {
  const owner = ownerId === agentId ? '' : ` (the page of agent ${ownerId}; yours is not open)`;
  return `${await page.place()}${owner}`;
}

async function takePicture(sight: Sight, context: ToolContext, saveBlob: SaveBlob): Promise<ToolResult> {
  const { page } = sight.page;
  const bytes = await page.screenshot({ type: 'png', timeout: PICTURE_MS, signal: context.signal });
  const { hash, sizeBytes } = await saveBlob(bytes);
  const label = `[image/png, ${sizeBytes} bytes, stored as ${hash}]`;
  const outline = await outlineOf(sight.page, context.signal);
  const { outputCap } = browserDefinitions.screenshot;
  return {
    ...answered(`${await headOf(sight, context)}\n${label}\n${outline}`, outputCap),
    picture: { mediaType: 'image/png', blob: hash, sizeBytes },
  };
}
