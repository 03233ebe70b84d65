import type { LiveTool } from '#agents';
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

const truncatedText =
  'This call was cut off before it was complete, so it was not run. Send the whole call again, with shorter arguments if need be.';

/** Behind the gate and before the effect (spec 04 §4): argument validation, then rules, then the approval mode. */
export async function prepareCall(call: BatchCall, run: RunContext): Promise<PreparedCall> {
  if (call.state === 'asked') return { step: 'wait', call };
  if (call.state === 'denied') return answer(call, 'denied', 'This call was not approved; nothing was run.');
  const tool = run.bound.tools.get(call.name);
  const executor = tool === undefined ? undefined : executorOf(run, tool);
  if (tool === undefined || executor === undefined)
    return answer(call, 'error', 'This tool is no longer available; nothing was run.');
  if (call.truncated) return answer(call, 'error', truncatedText);
  const valid = validateArguments(executor.parameters, call.arguments);
  if (!valid.ok) return answer(call, 'error', valid.problem);
  const target = await inspectTarget(executor, valid.arguments, run.runtime.projectRoot);
  const permission = decidePermission(tool, run.runtime, target.insideWorkspace, target.isProtected);
  if (permission.verdict === 'deny') return answer(call, 'denied', permission.text);
  if (permission.verdict === 'ask' && call.state !== 'approved' && call.state !== 'started')
    return ask(call, tool, permission, run);
  return { step: 'run', call, tool, executor, arguments: valid.arguments, rule: permission.rule };
}

function ask(call: BatchCall, tool: LiveTool, permission: Permission, run: RunContext): PreparedCall {
  if (run.log.meta.launch?.onApproval === 'deny') {
    return answer(
      call,
      'denied',
      'This call needs an approval, and this agent was launched to go on without asking; nothing was run.',
    );
  }
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
