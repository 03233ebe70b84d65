import type { Classification } from '../permissions/classifier.js';
import { decidePermission, type Permission } from '../permissions/permission.js';
import { inspectTarget } from '../permissions/protected-paths.js';
import { callClassified } from './call-classified.js';
import type { CheckedCall } from './checked-call.js';
import type { RunContext } from './run-context.js';

/** What is left when everybody was asked who can be: run it, ask a person, or answer that it is denied. */
export type CallPermission =
  | { readonly verdict: 'allow' | 'ask'; readonly rule: string }
  | { readonly verdict: 'deny'; readonly text: string };

/**
 * Rules, then the approval mode, then the classifier where the mode leaves a call to it (spec 04 §4). What a person decided is
 * not asked again, but rules deny it all the same.
 */
export async function judgeCall(
  checked: CheckedCall,
  isDecided: boolean,
  run: RunContext,
): Promise<CallPermission> {
  const { tool, executor } = checked;
  const builtIn = 'name' in tool.identity ? tool.identity.name : null;
  const target = await inspectTarget({ builtIn, readOnly: executor.readOnly }, checked.arguments, {
    projectRoot: run.runtime.projectRoot,
    folder: run.folder,
    guarded: run.services.guardedFiles,
  });
  const permission = decidePermission(tool, target, {
    runtime: run.runtime,
    operator: run.services.operatorRules,
  });
  if (permission.verdict === 'deny') return permission;
  if (isDecided) return { verdict: 'allow', rule: permission.rule };
  return permission.verdict === 'classify'
    ? classify(checked, permission, run)
    : { verdict: permission.verdict, rule: permission.rule };
}

async function classify(
  checked: CheckedCall,
  { rule }: Permission,
  run: RunContext,
): Promise<CallPermission> {
  const { classifier } = run.services;
  if (classifier === null) return { verdict: 'ask', rule };
  const judged = await classifier.classify(subjectOf(checked, run), run.signal);
  run.signal.throwIfAborted();
  await run.log.record(callClassified(checked.call, judged, run));
  if (judged.verdict !== 'deny') return { verdict: judged.verdict, rule: `classifier:${judged.verdict}` };
  return {
    verdict: 'deny',
    text: `The classifier of approval mode "auto" denies this call: ${judged.reason}`,
  };
}

function subjectOf({ tool, argumentsText, snapshot }: CheckedCall, run: RunContext): Classification {
  const { agentId, launchPrompt } = run.log.meta;
  return {
    agentId,
    runId: run.runId,
    epoch: run.epoch,
    agentModel: run.runtime.model,
    tool: tool.identity,
    description: tool.description,
    arguments: argumentsText,
    launch: snapshot,
    executable: [...run.bound.gate.executable()],
    restriction: launchPrompt?.restriction ?? null,
    hint: launchPrompt?.guidance ?? null,
    directive: launchPrompt?.directive ?? null,
  };
}
