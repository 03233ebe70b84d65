import { accepted, PolicyCode, rejected, type Result } from '../rejection.js';
import { described } from '../text/described.js';

declare const validated: unique symbol;

/** A profile name that passed `parseProfileName`: the only text that may become part of a profile path. */
export type ProfileName = string & { readonly [validated]: 'profile-name' };

const MIN_CODE_POINTS = 2;
const MAX_CODE_POINTS = 50;
const CHARACTERS = /^[\p{L}\p{N}_-]+$/u;
const DEVICE = /^(?:con|prn|aux|nul|(?:com|lpt)[1-9\u00b9\u00b2\u00b3])$/i;

/** Judges a profile name before any path exists (spec 02 §4). Nothing is trimmed, folded or normalised. */
export function parseProfileName(value: unknown): Result<ProfileName> {
  if (isProfileName(value)) return accepted(value);
  return rejected(
    PolicyCode.PROFILE_NAME_INVALID,
    `${described(value)} is not a profile name: 2 to 50 letters and numbers of any script, "-" and "_", in Unicode NFC, ` +
      'not starting or ending with "-" or "_", and no Windows device name.',
    { offenders: [typeof value === 'string' ? value : described(value)], reason: 'name' },
  );
}

/** True when `parseProfileName` accepts the value. */
export function isProfileName(value: unknown): value is ProfileName {
  // Code points are counted only in a text short enough to hold at most 50 of them.
  if (typeof value !== 'string' || value.length > MAX_CODE_POINTS * 2) return false;
  const codePoints = Array.from(value).length;
  if (codePoints < MIN_CODE_POINTS || codePoints > MAX_CODE_POINTS) return false;
  if (!CHARACTERS.test(value) || /^[-_]|[-_]$/.test(value)) return false;
  return value === value.normalize('NFC') && !DEVICE.test(value);
}
