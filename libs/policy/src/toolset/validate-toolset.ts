import { accepted, PolicyCode, rejected, type Result } from '../rejection.js';
import { quotedList } from '../text/quoted.js';
import { modeRejection } from './mode-rejection.js';
import { BROWSER_PROXY_READ_ONLY_TOOLS, REPOSITORY_READ_ONLY_TOOLS } from './read-only-tools.js';
import { isClosedRegistryName, registryName } from './registry-name.js';
import { isRestrictedMode } from './workflow-mode.js';

/** Printable ASCII but for space and comma, after trimming: what a tool name of a definition may consist of. */
const WELL_FORMED = /^[\x21-\x2B\x2D-\x7E]+$/;

const explorerTools: ReadonlySet<string> = new Set(
  [...REPOSITORY_READ_ONLY_TOOLS, ...BROWSER_PROXY_READ_ONLY_TOOLS].map(registryName),
);

/**
 * Judges the effective tools of a subagent against the workflow mode of its launch (spec 02 §5, POL-10). Build returns early;
 * in any other mode, known or not, a malformed name is refused first, then every tool outside the closed list by name.
 */
export function validateSubagentToolset(mode: string, tools: readonly string[]): Result<readonly string[]> {
  if (!isRestrictedMode(mode)) return accepted(tools);
  const wellFormed = checkToolNames(tools);
  if (!wellFormed.ok) return wellFormed;
  const offenders = tools.filter((tool) => !isClosedRegistryName(registryName(tool)));
  return offenders.length === 0 ? accepted(tools) : modeRejection(mode, offenders);
}

/** Judges an explorer's own tools: in every mode they lie in the repository four and the read-only browser proxies. */
export function validateExplorerTools(tools: readonly string[]): Result<readonly string[]> {
  const wellFormed = checkToolNames(tools);
  if (!wellFormed.ok) return wellFormed;
  const offenders = [...new Set(tools.filter((tool) => !explorerTools.has(registryName(tool))))];
  if (offenders.length === 0) return accepted(tools);
  return rejected(
    PolicyCode.EXPLORER_TOOLSET,
    `An explorer may not have these tools: ${quotedList(offenders)}. In every mode it may have: ${[...explorerTools].join(', ')}.`,
    { offenders, reason: 'explorer' },
  );
}

/** Refuses tool names of a definition that no tool can have, by name, as written. */
export function checkToolNames(tools: readonly string[]): Result<readonly string[]> {
  const offenders = [...new Set(tools.filter((tool) => !WELL_FORMED.test(tool.trim())))];
  if (offenders.length === 0) return accepted(tools);
  return rejected(
    PolicyCode.TOOLSET_MALFORMED,
    `These are not tool names: ${quotedList(offenders)}. A tool name is printable ASCII without spaces or commas.`,
    { offenders, reason: 'malformed' },
  );
}
