/**
 * The one way in which an agent comes to be, for HTTP, the MCP endpoint and the `agent` tool alike. The order is
 * fixed (spec 02 §1): the caller's record, the call's arguments, profile or definition, policy, prompt, one append.
 * Nothing exists before the append; everything exists after it.
 */
import { PolicyCode } from '#policy';
import {
  absentAgent,
  type AgentMeta,
  executeCommand,
  type IdempotentOutcome,
  launchAgent as decideLaunch,
  launchRefusal,
  UnstorableAppendError,
  UnstorableCode,
} from '#transcripts';
import { agentAt } from './fork-point.js';
import { type LaunchFacts, launchFacts, type LaunchFactsInput } from './launch-facts.js';
import type {
  LaunchRejection,
  LaunchRequest,
  LaunchResult,
  LaunchTools,
  RefusedLaunch,
} from './launch-request.js';
import { filesOfSnapshot, printSnapshot } from './launch-snapshot.js';
import { parseLaunchCall } from './parse-launch-call.js';
import {
  currentMeta,
  type ParentSnapshot,
  parentSnapshot,
  UnreadableBoundsError,
} from './parent-snapshot.js';
import { recordRefusal } from './record-refusal.js';
import { resolveLaunch } from './resolve-launch.js';

/**
 * A launch that was judged and resolved. `snapshot` is what it starts, as text; where an earlier launch under the same key is all that there is
 * to answer, it is the one that was asked with, or null.
 */
export interface PreparedLaunch {
  readonly ok: true;
  readonly snapshot: string | null;
  /** Launches exactly this, whatever has become of the files since. */
  readonly launch: () => Promise<LaunchResult>;
}

/**
 * Launches an agent, or says why not. A refused launch leaves nothing but `LaunchRefused` on the caller's stream. A launch
 * sent again under its idempotency key gets the agent of the first one, whatever has changed since.
 */
export async function launchAgent(tools: LaunchTools, request: LaunchRequest): Promise<LaunchResult> {
  const prepared = await prepareLaunch(tools, request);
  return prepared.ok ? prepared.launch() : prepared;
}

/** Everything of a launch but the append, for callers that ask somebody in between (spec 02 §1). Refuses as `launchAgent` does. */
export async function prepareLaunch(
  tools: LaunchTools,
  request: LaunchRequest,
): Promise<PreparedLaunch | RefusedLaunch> {
  const earlier = await earlierLaunch(tools, request);
  if (earlier !== null)
    return { ok: true, snapshot: request.snapshot ?? null, launch: () => Promise.resolve(earlier) };
  const caller = await currentMeta(tools, request.callerId);
  const judged = await judge(tools, request, caller);
  if (!judged.ok) return refuse(tools, request, caller, judged.rejection);
  const { resolved, ...from } = judged;
  const facts = launchFacts({
    ...from,
    resolved,
    agentId: tools.newId(),
    key: request.key,
    requested: request.call,
  });
  return {
    ok: true,
    snapshot: printSnapshot(resolved),
    launch: async () => {
      const launched = await append(tools, request, facts);
      return launched.ok ? launched : refuse(tools, request, caller, launched.rejection);
    },
  };
}

interface JudgedLaunch extends Pick<LaunchFactsInput, 'call' | 'parent' | 'resolved'> {
  readonly ok: true;
}

/** The fixed order of refusals: arguments, the caller's record, its bounds and session, profile or definition, policy. */
async function judge(
  tools: LaunchTools,
  request: LaunchRequest,
  caller: AgentMeta,
): Promise<JudgedLaunch | RefusedLaunch> {
  const call = parseLaunchCall(request);
  if (!call.ok) return call;
  const guard = launchRefusal(caller, call.value.launch === 'fork' ? 'fork' : 'subagent', tools.maxDepth);
  if (guard !== null) return { ok: false, rejection: rejectionOf(guard) };
  const parent = await readParent(tools, request, caller);
  if (!parent.ok) return parent;
  const files = filesOfSnapshot(request.snapshot ?? '') ?? tools.files;
  const resolved = await resolveLaunch(call.value, parent.snapshot, { ...tools, files });
  return resolved.ok
    ? { ok: true, call: call.value, parent: parent.snapshot, resolved: resolved.value }
    : resolved;
}

async function earlierLaunch(
  { store }: LaunchTools,
  { idempotency, context }: LaunchRequest,
): Promise<LaunchResult | null> {
  if (idempotency === undefined) return null;
  const outcome = await store.findIdempotent(context.tenant, idempotency.key);
  return outcome === null ? null : duplicateOf(outcome);
}

type ReadParent =
  | { readonly ok: true; readonly snapshot: ParentSnapshot }
  | { readonly ok: false; readonly rejection: LaunchRejection };

async function readParent(
  tools: LaunchTools,
  { key, forkPoint }: LaunchRequest,
  caller: AgentMeta,
): Promise<ReadParent> {
  const source =
    forkPoint === undefined ? ({ ok: true, agent: caller } as const) : await agentAt(tools.store, forkPoint);
  if (!source.ok) return { ok: false, rejection: rejectionOf(source) };
  try {
    const snapshot = await parentSnapshot(tools, caller, key, source.agent);
    if (!snapshot.session.closed) return { ok: true, snapshot };
    const message = `Session ${snapshot.sessionId} is closed; POST /v1/sessions/${snapshot.sessionId}/reopen opens it again.`;
    return { ok: false, rejection: { code: 'SESSION_CLOSED', message, offenders: [] } };
  } catch (thrown) {
    if (!(thrown instanceof UnreadableBoundsError)) throw thrown;
    return { ok: false, rejection: { code: thrown.code, message: thrown.message, offenders: [] } };
  }
}

async function append(tools: LaunchTools, request: LaunchRequest, facts: LaunchFacts): Promise<LaunchResult> {
  const { agentId } = facts.launched;
  const result = await executeCommand(tools, {
    stream: agentId,
    context: request.context,
    // A new id: there is nothing to read.
    from: absentAgent(agentId),
    decide: (meta) => decideLaunch(facts, meta),
    requires: standsOn(facts),
    ...(request.idempotency === undefined ? {} : { idempotency: request.idempotency }),
  }).catch(asTooLarge);
  if (!result.ok) return { ok: false, rejection: rejectionOf(result) };
  if (result.duplicate !== undefined) return duplicateOf(result.duplicate);
  return { ok: true, agentId, isDuplicate: false, bodyHash: null };
}

/** What it belongs to and inherits from must still be here when it is recorded. */
function standsOn({ launched, bootstrap }: LaunchFacts): readonly string[] {
  const source = bootstrap.parent === null ? [] : [bootstrap.parent.agentId];
  return [...new Set([launched.sessionId, launched.parentId, ...source])];
}

/** A prompt or list within its own rules may still be more than one event holds: the call is refused, it is no fault. */
function asTooLarge(thrown: unknown): { ok: false; code: string; message: string } {
  if (!(thrown instanceof UnstorableAppendError) || thrown.code !== UnstorableCode.eventTooLarge)
    throw thrown;
  return {
    ok: false,
    code: PolicyCode.AGENT_CALL_INVALID,
    message: `The call is too large. ${thrown.message}`,
  };
}

function duplicateOf({ stream, bodyHash }: IdempotentOutcome): LaunchResult {
  return { ok: true, agentId: stream, isDuplicate: true, bodyHash };
}

function rejectionOf({ code, message }: { code: string; message: string }): LaunchRejection {
  return { code, message, offenders: [] };
}

async function refuse(
  tools: LaunchTools,
  request: LaunchRequest,
  caller: AgentMeta,
  rejection: LaunchRejection,
): Promise<RefusedLaunch> {
  if (caller.status !== 'absent') await recordRefusal(tools, request, rejection);
  return { ok: false, rejection };
}
