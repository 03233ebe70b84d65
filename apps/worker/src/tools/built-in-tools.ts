import { edit } from './edit.js';
import { glob } from './glob.js';
import { grepSearch } from './grep-search.js';
import { listDirectory } from './list-directory.js';
import { readFileTool } from './read-file.js';
import { runShellCommand } from './run-shell-command.js';
import type { Tool, ToolDefinition } from './tool.js';
import { writeFileTool } from './write-file.js';

/** The built-ins with an executor in the worker, by name, in the order in which they are declared. */
export const builtInTools: ReadonlyMap<string, Tool> = new Map(
  [readFileTool, listDirectory, glob, grepSearch, writeFileTool, edit, runShellCommand].map((tool) => [
    tool.name,
    tool,
  ]),
);

/** Every built-in, also those that are only declared, in declaration order. */
export const builtInDefinitions: ReadonlyMap<string, ToolDefinition> = builtInTools;
