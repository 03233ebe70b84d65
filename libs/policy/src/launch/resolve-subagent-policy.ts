import { parseAllowlist } from '../allowlist/parse-allowlist.js';
import { accepted, type Result } from '../rejection.js';
import { type Ceiling, ceilingOf } from '../stored/ceiling.js';
import { listPolicy } from '../stored/list-policy.js';
import type { ListPolicy } from '../stored/stored-policy.js';
import { resolveToolset, type ToolsetInput } from '../toolset/effective-toolset.js';

/** What a subagent is launched with and stores: `tools` are the registry names it declares, the list permits exactly these. */
export interface SubagentPolicy {
  readonly tools: readonly string[];
  readonly policy: ListPolicy;
  readonly ceiling: Ceiling;
}

/** Resolves the policy that an agent from a definition launches with (spec 02 §5), or names the tools that refuse the launch. */
export function resolveSubagentPolicy(input: ToolsetInput): Result<SubagentPolicy> {
  const tools = resolveToolset(input);
  if (!tools.ok) return tools;
  const allowlist = parseAllowlist(tools.value);
  if (!allowlist.ok) return allowlist;
  return accepted(
    Object.freeze({
      tools: tools.value,
      policy: listPolicy(allowlist.value),
      ceiling: ceilingOf(input.mode),
    }),
  );
}
