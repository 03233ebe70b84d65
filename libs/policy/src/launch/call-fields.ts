import { PolicyCode, rejected, type Rejected } from '../rejection.js';
import type { AgentCallParameter } from './agent-call.js';

/** The parameters of a call: what is not in the map is absent, an optional `""` included. */
export type CallFields = ReadonlyMap<string, unknown>;

const EMPTY_IS_ABSENT: ReadonlySet<string> = new Set<AgentCallParameter>([
  'subagent_type',
  'fork_turns',
  'name',
  'model',
  'working_dir',
  'isolation',
  'onApproval',
  'toolCallId',
]);

/** Drops optional strings given as `""`: models fill optional fields (spec 02 §1). Not the list, the profile name or a required one. */
export function presentFields(fields: ReadonlyMap<string, unknown>): CallFields {
  return new Map([...fields].filter(([key, value]) => value !== '' || !EMPTY_IS_ABSENT.has(key)));
}

/** True when the call asks for a fork: the word without regard to ASCII case, untrimmed. */
export function isForkCall(fields: CallFields): boolean {
  const type = fields.get('subagent_type');
  // Without the u flag, i folds no other letter (the Kelvin sign) into ASCII.
  return typeof type === 'string' && /^fork$/i.test(type);
}

/** A content rejection of one parameter. */
export function contentFault(
  parameter: string,
  message: string,
  offenders: readonly string[] = [parameter],
): Rejected {
  return rejected(PolicyCode.AGENT_CALL_INVALID, message, { offenders, parameter, reason: 'content' });
}
