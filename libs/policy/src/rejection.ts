/** Every code that a rejection of this library may carry. Published and pinned: a code is never renamed or reused. */
export const PolicyCode = Object.freeze({
  AGENT_CALL_NOT_APPLICABLE: 'AGENT_CALL_NOT_APPLICABLE',
  TEAMMATES_NOT_SUPPORTED: 'TEAMMATES_NOT_SUPPORTED',
  AGENT_CALL_COMBINATION: 'AGENT_CALL_COMBINATION',
  AGENT_CALL_INVALID: 'AGENT_CALL_INVALID',
  ALLOWLIST_INVALID: 'ALLOWLIST_INVALID',
  SERVER_NAME_INVALID: 'SERVER_NAME_INVALID',
  TOOLS_OUTSIDE_MODE: 'TOOLS_OUTSIDE_MODE',
  TOOLSET_MALFORMED: 'TOOLSET_MALFORMED',
  EXPLORER_TOOLSET: 'EXPLORER_TOOLSET',
  PROFILE_NAME_INVALID: 'PROFILE_NAME_INVALID',
  PROFILE_FILE_INVALID: 'PROFILE_FILE_INVALID',
  DEFINITION_INVALID: 'DEFINITION_INVALID',
  BARE_MODE: 'BARE_MODE',
  SAFE_MODE: 'SAFE_MODE',
  LEGACY_POLICY_UNREADABLE: 'LEGACY_POLICY_UNREADABLE',
  STORED_POLICY_UNREADABLE: 'STORED_POLICY_UNREADABLE',
  STORED_CEILING_UNREADABLE: 'STORED_CEILING_UNREADABLE',
  JSON_OUT_OF_BOUNDS: 'JSON_OUT_OF_BOUNDS',
} as const);
export type PolicyCode = (typeof PolicyCode)[keyof typeof PolicyCode];

/** Which check refused: one word per step of an order that is judged first failure wins (spec 02 §1, §4, §5). */
export type RejectionReason =
  | 'applicability'
  | 'teammate'
  | 'combination'
  | 'content'
  | 'entries'
  | 'mode'
  | 'malformed'
  | 'explorer'
  | 'file'
  | 'size'
  | 'encoding'
  | 'frontmatter'
  | 'body'
  | 'yaml'
  | 'keys'
  | 'name'
  | 'tools'
  | 'promptHint'
  | 'description'
  | 'model'
  | 'agents';

/**
 * An expected refusal. `message` names the offender and says what would be accepted; `offenders` lists each
 * offender as written, once, in order; `parameter` is the launch parameter it came in. Never thrown.
 */
export interface Rejection {
  readonly code: PolicyCode;
  readonly message: string;
  readonly offenders: readonly string[];
  readonly parameter?: string;
  readonly reason?: RejectionReason;
}

export interface Accepted<T> {
  readonly ok: true;
  readonly value: T;
}

export interface Rejected {
  readonly ok: false;
  readonly rejection: Rejection;
}

/** A value or a rejection; the library throws only for broken promises of its caller. */
export type Result<T> = Accepted<T> | Rejected;

/** Wraps a value as accepted. */
export function accepted<T>(value: T): Accepted<T> {
  return { ok: true, value };
}

/** Builds a rejection from a code, a message and what else is known about the refusal. */
export function rejected(
  code: PolicyCode,
  message: string,
  about: { offenders?: readonly string[]; parameter?: string; reason?: RejectionReason } = {},
): Rejected {
  const { offenders = [], ...rest } = about;
  return { ok: false, rejection: { code, message, offenders: [...offenders], ...rest } };
}
