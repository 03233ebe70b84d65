/** Why the gate refuses a call (spec 02 §3). Published and pinned; recorded in events. */
export const RefusalReason = Object.freeze({
  UNDECLARED: 'undeclared',
  NOT_IN_ALLOWLIST: 'not_in_allowlist',
  DENY_ALL: 'deny_all',
  FORBIDDEN_IN_FORK: 'forbidden_in_fork',
  BLOCKED_BY_MODE: 'blocked_by_mode',
  NO_EXECUTOR: 'no_executor',
} as const);
export type RefusalReason = (typeof RefusalReason)[keyof typeof RefusalReason];
