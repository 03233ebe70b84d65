import type { Rejection } from '#policy';
import type { CallKey, CommandTools, EventContext, IdempotencyClaim } from '#transcripts';
import type { PolicyFiles } from './policy-files.js';

export interface LaunchTools extends CommandTools {
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
  /** True where `toolCallId` is a parameter of the call. */
  readonly isHttp: boolean;
}

export interface LaunchRejection extends Pick<Rejection, 'message' | 'offenders' | 'parameter'> {
  readonly code: string;
}

export type LaunchResult =
  | {
      readonly ok: true;
      readonly agentId: string;
      readonly isDuplicate: boolean;
      readonly bodyHash: string | null;
    }
  | { readonly ok: false; readonly rejection: LaunchRejection };
