import type { Rejection } from '#policy';
import type { AgentMeta, CallKey, CommandTools, EventContext, IdempotencyClaim } from '#transcripts';
import type { ForkPoint } from './fork-point.js';
import type { PolicyFiles } from './policy-files.js';

export interface LaunchTools extends CommandTools {
  /** An agent as the log has it now; folded from the whole stream where this is not given. */
  readonly current?: (agentId: string) => Promise<AgentMeta>;
  readonly files: PolicyFiles;
  /** How deep launches may nest below a session. */
  readonly maxDepth: number;
}

export interface LaunchRequest {
  readonly callerId: string;
  /** The Agent call as received: judged by `#policy`. */
  readonly call: unknown;
  readonly context: EventContext;
  /** The call of the caller's turn that asked, when one did. */
  readonly key: CallKey | null;
  readonly idempotency?: IdempotencyClaim;
  /** Where the history of the fork comes from, when that is not the caller as it stands. */
  readonly forkPoint?: ForkPoint;
  /** True where `toolCallId` is a parameter of the call. */
  readonly isHttp: boolean;
  /** What this very call was decided on as, when it was prepared before: its files are not read again. */
  readonly snapshot?: string | null;
}

export interface LaunchRejection extends Pick<Rejection, 'message' | 'offenders' | 'parameter'> {
  readonly code: string;
}

export interface RefusedLaunch {
  readonly ok: false;
  readonly rejection: LaunchRejection;
}

export type LaunchResult =
  | {
      readonly ok: true;
      readonly agentId: string;
      readonly isDuplicate: boolean;
      readonly bodyHash: string | null;
    }
  | RefusedLaunch;
