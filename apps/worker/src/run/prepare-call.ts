import { type LiveTool, toolFingerprint } from '#agents';
import { refusalResponse } from '#policy';
import type { AgentEvent, BatchCall } from '#transcripts';
import { argumentsDigest } from '../permissions/arguments-digest.js';
import { decidePermission, type Permission } from '../permissions/permission.js';
import { inspectTarget } from '../permissions/protected-paths.js';
import type { Tool } from '../tools/tool.js';
import { validateArguments } from '../tools/validate-arguments.js';
import { executorOf, type RunContext } from './run-context.js';

/** A call that passed the gate, with what came of it before its effect: run it, ask about it, or answer it. */
export type PreparedCall =
  | {
      readonly step: 'run';
      readonly call: BatchCall;
      readonly tool: LiveTool;
      readonly executor: Tool;
      readonly arguments: unknown;
      readonly rule: string;
    }
  | { readonly step: 'ask'; readonly call: BatchCall; readonly tool: LiveTool; readonly rule: string }
  | { readonly step: 'wait'; readonly call: BatchCall }
  | {
      readonly step: 'answer';
      readonly call: BatchCall;
      readonly outcome: 'error' | 'denied';
      readonly text: string;
    };

const deniedUnasked =
  'This call needs an approval, and this agent was launched to go on without asking; nothing was run.';
const truncatedText =
  'This call was cut off before it was complete, so it was not run. Send the whole call again, with shorter arguments if need be.';

/**
 * Behind the gate and before the effect (spec 04 §4): argument validation, then rules, then the approval mode. A call that
 * comes back from an approval or another run passes the gate of this run again: the surface may have changed.
 */
export async function prepareCall(call: BatchCall, run: RunContext): Promise<PreparedCall> {
  const found = withoutLooking(call) ?? findExecutor(call, run);
  if ('step' in found) return found;
  const { tool, executor } = found;
  const valid = validateArguments(executor.parameters, call.arguments);
  if (!valid.ok) return answer(call, 'error', valid.problem);
  const target = await inspectTarget(executor, valid.arguments, run.runtime.projectRoot);
  const permission = decidePermission(tool, run.runtime, target.insideWorkspace, target.isProtected);
  if (permission.verdict === 'deny') return answer(call, 'denied', permission.text);
  if (permission.verdict === 'ask' && !isDecided(call, tool)) return ask(call, tool, permission, run);
  return { step: 'run', call, tool, executor, arguments: valid.arguments, rule: permission.rule };
}

/** Calls that are settled, or cannot be run, whatever the tool says. */
function withoutLooking(call: BatchCall): PreparedCall | null {
  if (call.state === 'asked') return { step: 'wait', call };
  if (call.state === 'denied') return answer(call, 'denied', 'This call was not approved; nothing was run.');
  return call.truncated ? answer(call, 'error', truncatedText) : null;
}

function findExecutor(call: BatchCall, run: RunContext): PreparedCall | { tool: LiveTool; executor: Tool } {
  const decision = run.bound.gate.decide(call.name);
  if (!decision.allowed) {
    const { error } = refusalResponse({ id: call.key.providerId, name: call.name }, decision, run.bound.gate);
    return answer(call, 'denied', error);
  }
  const tool = run.bound.tools.get(call.name);
  const executor = tool === undefined ? undefined : executorOf(run, tool);
  if (tool !== undefined && executor !== undefined) return { tool, executor };
  return answer(call, 'error', 'This tool is no longer available; nothing was run.');
}

/** A person said yes to this call of this very tool, or it was under way before: nobody is asked again. */
function isDecided(call: BatchCall, tool: LiveTool): boolean {
  if (call.state === 'started') return true;
  return call.state === 'approved' && call.fingerprint === toolFingerprint(tool);
}

function ask(call: BatchCall, tool: LiveTool, permission: Permission, run: RunContext): PreparedCall {
  if (run.log.meta.launch?.onApproval === 'deny') return answer(call, 'denied', deniedUnasked);
  return { step: 'ask', call, tool, rule: permission.rule };
}

const answer = (call: BatchCall, outcome: 'error' | 'denied', text: string): PreparedCall => ({
  step: 'answer',
  call,
  outcome,
  text,
});

/** The fact of asking, bound to canonical arguments and to the tool as it is (field cases T25, M19). */
export function approvalRequest(
  prepared: Extract<PreparedCall, { step: 'ask' }>,
  run: RunContext,
  fingerprint: string,
): AgentEvent {
  const { call, tool } = prepared;
  return {
    type: 'ApprovalRequested',
    data: {
      approvalId: run.services.newId(),
      call: call.key,
      name: call.name,
      tool: tool.identity,
      arguments: call.arguments,
      argumentsDigest: argumentsDigest(call.arguments),
      fingerprint,
      expiresInMs: run.services.approvalExpiryMs,
    },
  };
}
