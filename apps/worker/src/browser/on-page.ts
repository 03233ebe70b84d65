import { isError } from '../mcp/is-error.js';
import { DeadlineError } from '../mcp/with-deadline.js';
import { failed } from '../tools/define-tool.js';
import { firstCodePoints } from '../tools/output-cap.js';
import type { ToolContext, ToolResult } from '../tools/tool.js';

const LONGEST_PROBLEM = 1_000;
const COLOURS = /\u001b\[[0-9;]*m/g;

/** The answer where there is no page: nothing is opened behind a model's back, a blank page would look like a result. */
export const noPage = failed(
  'No page is open here. Open one with browser_goto; a page that was open before is gone, with what was in it.',
);

/**
 * Does something with a browser and answers what keeps it from an end: a selector that matches nothing, a time-out, a page that
 * went away. Rejects only when the call was cancelled, so that nothing late is recorded.
 */
export async function answerFaults(
  { signal }: ToolContext,
  work: () => Promise<ToolResult>,
): Promise<ToolResult> {
  try {
    return await work();
  } catch (error) {
    if (signal.aborted || !isError(error)) throw error;
    return failed(problemOf(error));
  }
}

function problemOf(error: Error): string {
  if (error instanceof DeadlineError) return `${error.message} and was given up.`;
  const [said = ''] = error.message.replaceAll(COLOURS, '').split(/\n(?:Call log|Browser logs):/);
  return firstCodePoints(said.trim(), LONGEST_PROBLEM);
}
