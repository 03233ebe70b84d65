import { type Allowlist, parseAllowlist } from '../allowlist/parse-allowlist.js';
import { parseProfileName, type ProfileName } from '../profiles/profile-name.js';
import { accepted, type Rejected, type Result } from '../rejection.js';
import { described } from '../text/described.js';
import type { OnApproval } from './agent-call.js';
import { type CallFields, contentFault } from './call-fields.js';

const MAX_SHORT_TEXT = 512;

/** A required text that is not blank. */
export function requiredText(fields: CallFields, parameter: string): Result<string> {
  const value = fields.get(parameter);
  if (typeof value === 'string' && value.trim() !== '') return accepted(value);
  const found = fields.has(parameter) ? `not ${described(value)}` : 'and it is missing';
  return contentFault(parameter, `${parameter} must be a text that is not blank, ${found}.`);
}

/** An optional one-line text of at most 512 code units, not blank; undefined when absent. */
export function shortText(fields: CallFields, parameter: string): Result<string | undefined> {
  if (!fields.has(parameter)) return accepted(undefined);
  const value = fields.get(parameter);
  const isShort = typeof value === 'string' && value.trim() !== '' && value.length <= MAX_SHORT_TEXT;
  if (isShort && !/\p{Cc}/u.test(value)) return accepted(value);
  return contentFault(
    parameter,
    `${parameter} must be a text of 1 to ${MAX_SHORT_TEXT} characters on one line, not ${described(value)}.`,
  );
}

/** `fork_tools`: the whole allowlist grammar, under this parameter. */
export function forkTools(fields: CallFields): Result<Allowlist | undefined> {
  if (!fields.has('fork_tools')) return accepted(undefined);
  const parsed = parseAllowlist(fields.get('fork_tools'));
  return parsed.ok ? parsed : asContent(parsed, 'fork_tools');
}

/** `fork_profile`: a profile name; whether the profile exists is found out when it is read. */
export function forkProfile(fields: CallFields): Result<ProfileName | undefined> {
  if (!fields.has('fork_profile')) return accepted(undefined);
  const parsed = parseProfileName(fields.get('fork_profile'));
  return parsed.ok ? parsed : asContent(parsed, 'fork_profile');
}

/** `fork_turns`: all, or a positive integer as a string; a number too large to matter is all the same a number. */
export function forkTurns(fields: CallFields): Result<'all' | number> {
  if (!fields.has('fork_turns')) return accepted('all');
  const value = fields.get('fork_turns');
  if (value === 'all') return accepted('all');
  if (typeof value === 'string' && /^0*[1-9][0-9]*$/.test(value)) {
    return accepted(Math.min(Number(value), Number.MAX_SAFE_INTEGER));
  }
  return contentFault(
    'fork_turns',
    `fork_turns must be "all" or a positive integer as a string ("3"), not ${described(value)}.`,
  );
}

/** A flag with a default. */
export function flag(fields: CallFields, parameter: string, byDefault: boolean): Result<boolean> {
  if (!fields.has(parameter)) return accepted(byDefault);
  const value = fields.get(parameter);
  if (typeof value === 'boolean') return accepted(value);
  return contentFault(parameter, `${parameter} must be true or false, not ${described(value)}.`);
}

/** `onApproval`: park or deny; park by default. */
export function onApproval(fields: CallFields): Result<OnApproval> {
  const value = fields.has('onApproval') ? fields.get('onApproval') : 'park';
  if (value === 'park' || value === 'deny') return accepted(value);
  return contentFault('onApproval', `onApproval must be "park" or "deny", not ${described(value)}.`);
}

function asContent({ rejection }: Rejected, parameter: string): Rejected {
  return {
    ok: false,
    rejection: {
      ...rejection,
      message: `${parameter}: ${rejection.message}`,
      parameter,
      reason: 'content',
    },
  };
}
