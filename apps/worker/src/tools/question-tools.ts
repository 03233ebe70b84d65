import { askQuestionDefinition, askUserQuestionDefinition } from './conversation-definitions.js';
import type { Tool, ToolDefinition } from './tool.js';

/** What a question says, as its schema accepts it. */
export interface QuestionArguments {
  readonly question: string;
  readonly options?: readonly string[];
}

/** The run puts the question and parks; the answer is the result of the call. */
function questionTool(definition: ToolDefinition, asks: 'user' | 'parent'): Tool {
  return {
    ...definition,
    asks,
    execute: () =>
      Promise.reject(new TypeError(`${definition.name} is answered by somebody, never executed.`)),
  };
}

/** The tools that ask: sessions ask the person in front of them, subagents the agent that launched them. */
export const questionTools: readonly Tool[] = [
  questionTool(askUserQuestionDefinition, 'user'),
  questionTool(askQuestionDefinition, 'parent'),
];
