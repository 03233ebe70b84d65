import {
  type AgentCall,
  accepted,
  parseAgentCall,
  PolicyCode,
  type ProfileName,
  type Allowlist,
  rejected,
  type Result,
} from '#policy';
import type { EvaluatePolicyRequest } from './evaluate-policy.request.js';

/** What is asked about, judged: a fork with its list or the name of its profile, or the tools of a definition. */
export type JudgedQuestion =
  | { readonly kind: 'fork'; readonly forkTools?: Allowlist; readonly forkProfile?: ProfileName }
  | { readonly kind: 'subagent'; readonly tools: readonly string[] };

/**
 * Judges the launch parameters of a question by the one order of the Agent call (spec 02 §1), so that question and launch are refused with the
 * same code. A question with the tools of a definition and no kind is one about a subagent.
 */
export function judgeQuestion(request: EvaluatePolicyRequest): Result<JudgedQuestion> {
  const kind = request.kind ?? (Object.hasOwn(request, 'tools') ? 'subagent' : 'fork');
  const call = parseAgentCall({
    description: 'a question',
    prompt: 'a question',
    ...(kind === 'fork' ? { subagent_type: 'fork' } : {}),
    ...present(request, 'fork_tools'),
    ...present(request, 'fork_profile'),
  });
  if (!call.ok) return call;
  return call.value.launch === 'fork' ? judgeFork(call.value, request) : judgeTools(request.tools);
}

function judgeFork(
  { forkTools, forkProfile }: Extract<AgentCall, { launch: 'fork' }>,
  request: EvaluatePolicyRequest,
): Result<JudgedQuestion> {
  if (Object.hasOwn(request, 'tools')) {
    return rejected(
      PolicyCode.AGENT_CALL_NOT_APPLICABLE,
      'tools are those of a definition; a fork takes fork_tools or fork_profile.',
      { offenders: ['tools'], parameter: 'tools', reason: 'applicability' },
    );
  }
  return accepted({
    kind: 'fork',
    ...(forkTools === undefined ? {} : { forkTools }),
    ...(forkProfile === undefined ? {} : { forkProfile }),
  });
}

function judgeTools(tools: unknown): Result<JudgedQuestion> {
  const given: readonly unknown[] = Array.isArray(tools) ? tools : [];
  const names = given.filter((tool) => typeof tool === 'string');
  if (names.length > 0 && names.length === given.length) return accepted({ kind: 'subagent', tools: names });
  return rejected(
    PolicyCode.DEFINITION_INVALID,
    'A definition must name its tools: tools is a list of one or more names.',
    { offenders: ['tools'], parameter: 'tools', reason: 'tools' },
  );
}

function present(request: EvaluatePolicyRequest, name: 'fork_tools' | 'fork_profile'): object {
  return Object.hasOwn(request, name) ? { [name]: request[name] } : {};
}
