import { accepted, PolicyCode, rejected, type Result } from '../rejection.js';
import { described } from '../text/described.js';
import { ownFields } from '../text/own-fields.js';
import type { AgentCall } from './agent-call.js';
import { presentFields } from './call-fields.js';
import { judgeApplicability, judgeCombination, judgeTeammate } from './judge-shape.js';
import { parseContent } from './parse-content.js';

/** How a call came in. `httpOnly` admits the parameters that only the HTTP edge takes (`toolCallId`). */
export interface AgentCallOptions {
  readonly httpOnly?: boolean;
}

/**
 * Judges the arguments of the Agent call (spec 02 §1). One order, first failure wins: applicability, named teammate, combination,
 * content parameter by parameter, unknown keys last. A rejection names the offending parameter; nothing has happened then.
 */
export function parseAgentCall(value: unknown, options: AgentCallOptions = {}): Result<AgentCall> {
  const own = ownFields(value);
  if (own === null) {
    const message = `An agent call must be an object of parameters, not ${described(value)}.`;
    return rejected(PolicyCode.AGENT_CALL_INVALID, message, { reason: 'content' });
  }
  const fields = presentFields(own);
  const refusal = judgeApplicability(fields) ?? judgeTeammate(fields) ?? judgeCombination(fields);
  if (refusal !== null) return refusal;
  const call = parseContent(fields, own.keys(), options.httpOnly ?? false);
  return call.ok ? accepted(Object.freeze(call.value)) : call;
}
