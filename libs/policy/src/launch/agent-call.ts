import type { Allowlist } from '../allowlist/parse-allowlist.js';
import type { ProfileName } from '../profiles/profile-name.js';

/** Every parameter of the Agent call, in the order in which content is judged (spec 02 §1). */
export const AGENT_CALL_PARAMETERS = Object.freeze([
  'description',
  'prompt',
  'subagent_type',
  'fork_tools',
  'fork_profile',
  'fork_turns',
  'name',
  'model',
  'run_in_background',
  'working_dir',
  'isolation',
  'limits',
  'onApproval',
  'toolCallId',
] as const);
export type AgentCallParameter = (typeof AGENT_CALL_PARAMETERS)[number];

/** The definition that is launched when no type is given. */
export const DEFAULT_DEFINITION = 'worker';

/** Limits asked for; absent ones are the configured maxima. Seconds, US dollars, otherwise counts. */
export interface RequestedLimits {
  readonly maxTurns?: number;
  readonly maxToolCalls?: number;
  readonly maxTokens?: number;
  readonly maxCostUsd?: number;
  readonly maxSeconds?: number;
}

/** What an agent does with a call that asks for approval: wait for an answer, or take it as denied. */
export type OnApproval = 'park' | 'deny';

interface LaunchRequest {
  readonly description: string;
  readonly prompt: string;
  readonly background: boolean;
  readonly limits: RequestedLimits;
  readonly onApproval: OnApproval;
  readonly toolCallId?: string;
}

/** A fork: at most one of list and profile; `forkTurns` is how many of the parent's last real user turns to inherit. */
export interface ForkRequest extends LaunchRequest {
  readonly launch: 'fork';
  readonly forkTools?: Allowlist;
  readonly forkProfile?: ProfileName;
  readonly forkTurns: 'all' | number;
}

/** An agent from a definition, by the name as written; whether it exists is found out when it is resolved. */
export interface DefinitionRequest extends LaunchRequest {
  readonly launch: 'definition';
  readonly definition: string;
  readonly model?: string;
  readonly workingDir?: string;
}

/** The Agent call as judged and normalised. */
export type AgentCall = ForkRequest | DefinitionRequest;
