import { accepted, type Result } from '../rejection.js';
import {
  ASK_PARENT_TOOL,
  BROWSER_PROXY_BUILD_TOOLS,
  BROWSER_PROXY_READ_ONLY_TOOLS,
  SPAWN_TOOL,
} from './read-only-tools.js';
import { registryName } from './registry-name.js';
import { checkToolNames, validateExplorerTools, validateSubagentToolset } from './validate-toolset.js';
import { isRestrictedMode } from './workflow-mode.js';

/** The definition that is held to reading in every mode. */
export const EXPLORER_DEFINITION = 'explorer';

/** A launch from a definition: its own tools as written, whether it has child agents with depth left, and whether a browser is there. */
export interface ToolsetInput {
  readonly mode: string;
  readonly definition: string;
  readonly tools: readonly string[];
  readonly mayLaunch: boolean;
  readonly hasBrowser: boolean;
}

/** The browser proxies that a subagent is given: three that only look outside Build mode and for explorers, else all eight. */
export function injectedProxies(mode: string, definition: string): readonly string[] {
  const isReader = isRestrictedMode(mode) || definition === EXPLORER_DEFINITION;
  return isReader ? BROWSER_PROXY_READ_ONLY_TOOLS : BROWSER_PROXY_BUILD_TOOLS;
}

/**
 * The effective tools of a subagent by registry name, once each, or the rejection of its launch (spec 02 §5): its own, the question to
 * its parent, the launch of child agents, the proxies of its mode. An explorer's own tools are judged first, in every mode.
 */
export function resolveToolset(input: ToolsetInput): Result<readonly string[]> {
  const own =
    input.definition === EXPLORER_DEFINITION
      ? validateExplorerTools(input.tools)
      : checkToolNames(input.tools);
  if (!own.ok) return own;
  const effective = [
    ...input.tools,
    ASK_PARENT_TOOL,
    ...(input.mayLaunch ? [SPAWN_TOOL] : []),
    ...(input.hasBrowser ? injectedProxies(input.mode, input.definition) : []),
  ];
  const permitted = validateSubagentToolset(input.mode, effective);
  return permitted.ok ? accepted(Object.freeze([...new Set(effective.map(registryName))])) : permitted;
}
