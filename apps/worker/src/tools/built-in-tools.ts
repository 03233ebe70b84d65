import { agentDefinition } from './agent-definition.js';
import {
  askUserQuestionDefinition,
  sendMessageDefinition,
  taskStopDefinition,
} from './conversation-definitions.js';
import { edit } from './edit.js';
import { glob } from './glob.js';
import { grepSearch } from './grep-search.js';
import { listDirectory } from './list-directory.js';
import { readFileTool } from './read-file.js';
import { runShellCommand } from './run-shell-command.js';
import { todoWrite } from './todo-write.js';
import type { Tool, ToolDefinition } from './tool.js';
import { createWebFetch } from './web-fetch.js';
import { writeFileTool } from './write-file.js';

function byName<Named extends ToolDefinition>(tools: readonly Named[]): ReadonlyMap<string, Named> {
  return new Map(tools.map((tool) => [tool.name, tool]));
}

const tools = [
  readFileTool,
  listDirectory,
  glob,
  grepSearch,
  writeFileTool,
  edit,
  runShellCommand,
  createWebFetch(),
  todoWrite,
];

/** The built-ins with an executor in the worker, by name, in the order in which they are declared. */
export const builtInTools: ReadonlyMap<string, Tool> = byName(tools);

/** Every built-in of a session, also those that other rooms carry out, in the order in which they are declared. */
export const builtInDefinitions: ReadonlyMap<string, ToolDefinition> = byName<ToolDefinition>([
  ...tools,
  agentDefinition,
  sendMessageDefinition,
  taskStopDefinition,
  askUserQuestionDefinition,
]);
