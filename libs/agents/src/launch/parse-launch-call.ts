import { type AgentCall, parseAgentCall, rejected, type Result } from '#policy';
import type { LaunchRequest } from './launch-request.js';

/** The call as `#policy` judges it. Only a fork inherits a history, so nothing else starts from a place in one. */
export function parseLaunchCall({ call, isHttp, forkPoint }: LaunchRequest): Result<AgentCall> {
  const parsed = parseAgentCall(call, { httpOnly: isHttp });
  if (!parsed.ok || forkPoint === undefined || parsed.value.launch === 'fork') return parsed;
  const message = 'A transcript can only be forked: leave subagent_type out, or give "fork".';
  return rejected('AGENT_CALL_NOT_APPLICABLE', message, {
    offenders: ['subagent_type'],
    parameter: 'subagent_type',
  });
}
