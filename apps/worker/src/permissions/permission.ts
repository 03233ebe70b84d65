import type { LiveTool } from '#agents';
import type { Runtime } from '#transcripts';
import {
  matchesExact,
  matchesWide,
  type OperatorRule,
  type OperatorRules,
  type RuledCall,
  rulesOf,
  ruleText,
} from './permission-rules.js';
import type { CallTarget } from './protected-paths.js';

/** What rules and approval mode say of a call that passed the gate (spec 04 §4); `classify` leaves it to the classifier. */
export type Permission =
  Undenied | { readonly verdict: 'deny'; readonly rule: string; readonly text: string };

interface Undenied {
  readonly verdict: 'allow' | 'ask' | 'classify';
  readonly rule: string;
}

/** Where the rules come from: the session's runtime, and the operator's configuration. */
export interface RuleSource {
  readonly runtime: Pick<Runtime, 'permissions' | 'approvalMode'>;
  readonly operator: OperatorRules;
}

/**
 * Rules first (deny beats ask beats allow), then the approval mode. A protected path asks in every mode and whatever an allow
 * rule says of the tool: only a rule of the operator that names the path lets it through.
 */
export function decidePermission(tool: LiveTool, target: CallTarget, from: RuleSource): Permission {
  const call: RuledCall = { identity: tool.identity, paths: target.paths, command: target.command };
  const { permissions: session } = from.runtime;
  const denied = rulesOf('deny', session, from.operator).find((rule) => matchesWide(rule, call));
  if (denied !== undefined) return denial(denied);
  const mode = from.runtime.approvalMode;
  // Nothing opens plan mode, neither a rule nor a person who is asked.
  if (mode === 'plan' && !tool.readOnly) return { verdict: 'deny', rule: 'mode:plan', text: planned };
  const asked = rulesOf('ask', session, from.operator).find((rule) => matchesWide(rule, call));
  if (asked !== undefined) return { verdict: 'ask', rule: `ask:${ruleText(asked)}` };
  const unnamed = target.protectedPaths.find((path) => !isNamed(path, call, from.operator));
  if (unnamed !== undefined) return { verdict: 'ask', rule: 'protected_path' };
  const allowed = rulesOf('allow', session, from.operator).find((rule) => matchesExact(rule, call));
  if (allowed !== undefined) return { verdict: 'allow', rule: `allow:${ruleText(allowed)}` };
  return byMode(tool, mode, target.insideWorkspace);
}

const planned = 'In plan mode only read-only tools run; nothing was run.';

/** True when the operator allows this tool at this very path. */
function isNamed(path: string, { identity }: RuledCall, operator: OperatorRules): boolean {
  return operator.allow.some(
    (rule) => rule.path !== undefined && matchesExact(rule, { identity, paths: [path], command: '' }),
  );
}

function denial(rule: OperatorRule): Permission {
  const text = 'A permission rule denies this call; nothing was run.';
  return { verdict: 'deny', rule: `deny:${ruleText(rule)}`, text };
}

/** What a mode says of an edit that stays in the workspace, and of everything else that is not read-only. */
const modes: Readonly<
  Record<Runtime['approvalMode'], readonly [edit: Undenied['verdict'], rest: Undenied['verdict']]>
> = {
  plan: ['ask', 'ask'],
  default: ['ask', 'ask'],
  'auto-edit': ['allow', 'ask'],
  auto: ['allow', 'classify'],
  yolo: ['allow', 'allow'],
};

function byMode(tool: LiveTool, mode: Runtime['approvalMode'], insideWorkspace: boolean): Permission {
  const [edit, rest] = modes[mode];
  return { verdict: tool.readOnly ? 'allow' : insideWorkspace ? edit : rest, rule: `mode:${mode}` };
}
