import type { LiveTool } from '#agents';
import { refusalResponse } from '#policy';
import type { AgentEvent, BatchCall } from '#transcripts';
import { approvalFingerprint } from '../permissions/approval-fingerprint.js';
import { argumentsDigest } from '../permissions/arguments-digest.js';
import type { Tool } from '../tools/tool.js';
import type { CheckedCall } from './checked-call.js';
import { hookedCall } from './hooked-call.js';
import { judgeCall } from './judge-call.js';
import { executorOf, type RunContext } from './run-context.js';
import { resolveCall, validateFor } from './tool-call.js';

/** A call that passed the gate, with what came of it before its effect: run it, ask about it, or answer it. */
export type PreparedCall =
  | (CheckedCall & { readonly step: 'run'; readonly rule: string })
  | (CheckedCall & { readonly step: 'ask'; readonly rule: string })
  | (CheckedCall & { readonly step: 'question' })
  | { readonly step: 'wait'; readonly call: BatchCall }
  | AnsweredCall;

export interface AnsweredCall {
  readonly step: 'answer';
  readonly call: BatchCall;
  readonly outcome: 'error' | 'denied';
  readonly text: string;
}

const deniedUnasked =
  'This call needs an approval, and this agent was launched to go on without asking; nothing was run.';
const truncatedText =
  'This call was cut off before it was complete, so it was not run. Send the whole call again, with shorter arguments if need be.';

/**
 * Behind the gate and before the effect, in the order of spec 04 §4: arguments and what they stand for, pre-tool hooks (a
 * rewrite is judged again in the same way), rules, approval mode. A call that comes back from an approval or another run goes through all of it again,
 * and through the gate of this run: the surface, the rules or a hook's mind may have changed.
 */
export async function prepareCall(call: BatchCall, run: RunContext): Promise<PreparedCall> {
  const found = withoutLooking(call) ?? findExecutor(call, run);
  if ('step' in found) return found;
  const checked = await checkCall({ call, ...found }, run);
  if ('step' in checked) return checked;
  const permission = await judgeCall(checked, isDecided(checked), run);
  if (permission.verdict === 'deny') return answer(call, 'denied', permission.text);
  if (permission.verdict === 'allow') return permitted(checked, permission.rule);
  if (run.log.meta.launch?.onApproval === 'deny') return answer(call, 'denied', deniedUnasked);
  return { step: 'ask', ...checked, rule: permission.rule };
}

/** A tool that asks somebody has no effect of its own: what comes is the answer. */
function permitted(checked: CheckedCall, rule: string): PreparedCall {
  return checked.executor.asks === undefined
    ? { step: 'run', ...checked, rule }
    : { step: 'question', ...checked };
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

type FoundCall = Pick<CheckedCall, 'call' | 'tool' | 'executor'>;

async function checkCall(found: FoundCall, run: RunContext): Promise<CheckedCall | AnsweredCall> {
  const { call, executor } = found;
  const validate = (text: string) => validateFor(executor, text);
  const valid = validate(call.arguments);
  if (!valid.ok) return answer(call, 'error', valid.problem);
  const given = { ...found, argumentsText: call.arguments, arguments: valid.arguments };
  const resolved = await resolveCall(given, run);
  if (!resolved.ok) return answer(call, 'error', resolved.problem);
  const hooked = await run.services.hooks.before(hookedCall(resolved.checked, run), validate, run.signal);
  run.signal.throwIfAborted();
  if (!hooked.ok) return answer(call, 'denied', hooked.text);
  if (hooked.argumentsText === call.arguments) return resolved.checked;
  const { argumentsText, arguments: rewritten } = hooked;
  const again = await resolveCall({ ...found, argumentsText, arguments: rewritten }, run);
  return again.ok ? again.checked : answer(call, 'error', again.problem);
}

/**
 * A person said yes to these very arguments of this very tool, or they were under way before, and they still stand for the same: nobody is
 * asked again.
 */
function isDecided({ call, tool, argumentsText, snapshot }: CheckedCall): boolean {
  if (call.snapshot !== snapshot) return false;
  if (call.state !== 'approved' && call.state !== 'started') return false;
  // A started call that nobody had to be asked about was decided by rule or mode.
  if (call.fingerprint === null) return call.state === 'started';
  return (
    call.fingerprint === approvalFingerprint(tool) && call.argumentsDigest === argumentsDigest(argumentsText)
  );
}

const answer = (call: BatchCall, outcome: 'error' | 'denied', text: string): AnsweredCall => ({
  step: 'answer',
  call,
  outcome,
  text,
});

/** The fact of asking, bound to canonical arguments and to the tool as it is (field cases T25, M19). */
export function approvalRequest(
  { call, tool, argumentsText, snapshot }: CheckedCall,
  { newId, approvalExpiryMs }: RunContext['services'],
): AgentEvent & { type: 'ApprovalRequested' } {
  return {
    type: 'ApprovalRequested',
    data: {
      approvalId: newId(),
      call: call.key,
      name: call.name,
      tool: tool.identity,
      arguments: argumentsText,
      argumentsDigest: argumentsDigest(argumentsText),
      fingerprint: approvalFingerprint(tool),
      ...(snapshot === null ? {} : { snapshot }),
      expiresInMs: approvalExpiryMs,
    },
  };
}
