import { capOutput } from './output-cap.js';
import type { Tool, ToolContext, ToolDefinition, ToolResult } from './tool.js';
import { checkArguments } from './validate-arguments.js';

/** A result that tells the model what went wrong and what would be accepted. */
export function failed(text: string): ToolResult {
  return { outcome: 'error', text };
}

/** A result of text that may be longer than the model is shown. */
export function answered(
  output: string,
  outputCap: number,
  outcome: ToolResult['outcome'] = 'ok',
): ToolResult {
  return { outcome, ...capOutput(output, outputCap) };
}

function isCancelled({ signal }: ToolContext): boolean {
  return signal.aborted;
}

/**
 * Makes a tool of a definition and a function. The arguments are judged by the schema once more, so that the
 * function gets what its type says however the tool is called; a call that is already cancelled starts nothing.
 */
// eslint-disable-next-line @typescript-eslint/no-unnecessary-type-parameters -- the schema vouches for the type when the tool runs
export function defineTool<Arguments>(
  definition: ToolDefinition,
  run: (given: Arguments, context: ToolContext) => Promise<ToolResult>,
): Tool {
  return {
    ...definition,
    async execute(call) {
      const checked = checkArguments(definition.parameters, call.arguments);
      if (!checked.ok) return failed(checked.problem);
      if (isCancelled(call.context)) return failed('Cancelled before it started.');
      try {
        return await run(checked.arguments as Arguments, call.context);
      } catch (error) {
        if (isCancelled(call.context)) return failed('Cancelled.');
        throw error;
      }
    },
  };
}
