import { createHash } from 'node:crypto';
import { type Allowlist, parseAllowlist } from '../allowlist/parse-allowlist.js';
import { readFrontMatter } from '../front-matter/read-front-matter.js';
import type { FrontMatterValue } from '../front-matter/parse-strict-yaml.js';
import {
  accepted,
  PolicyCode,
  rejected,
  type Rejected,
  type RejectionReason,
  type Result,
} from '../rejection.js';
import { described } from '../text/described.js';
import { quoted } from '../text/quoted.js';
import type { ProfileName } from './profile-name.js';

/** Most bytes in a profile file. */
export const MAX_PROFILE_BYTES = 65_536;
/** Most code points in a trimmed `promptHint`. */
export const MAX_HINT_CODE_POINTS = 200;
/** Most code points in a `description`. */
export const MAX_DESCRIPTION_CODE_POINTS = 500;

const KEYS = ['name', 'tools', 'promptHint', 'description'] as const;

/** A profile as read once at launch: a frozen snapshot. `contentHash` is the SHA-256 of the file bytes in hex, provenance only. */
export interface Profile {
  readonly name: ProfileName;
  readonly tools: Allowlist;
  readonly promptHint: string | null;
  readonly description: string | null;
  readonly contentHash: string;
}

/**
 * Reads the bytes of a profile file (spec 02 §4). The first failed check refuses; reason: size, encoding, frontmatter, body, yaml,
 * keys, name, tools, promptHint or description. The caller has made sure that the bytes are those of a regular file
 * inside the profile directory.
 */
export function parseProfile(bytes: Uint8Array, requested: ProfileName): Result<Profile> {
  const file = readFrontMatter(bytes, { maxBytes: MAX_PROFILE_BYTES, keys: KEYS, body: 'blank' });
  if (!file.ok) return refuse(requested, file.reason, file.fault, file.offenders);
  const { fields } = file;
  if (fields.get('name') !== requested) {
    return refuse(requested, 'name', `must have a name that is the string ${quoted(requested)}`);
  }
  const tools = parseAllowlist(fields.get('tools'));
  if (!tools.ok) {
    return refuse(
      requested,
      'tools',
      `has unusable tools: ${tools.rejection.message}`,
      tools.rejection.offenders,
    );
  }
  const promptHint = readText(fields, 'promptHint', MAX_HINT_CODE_POINTS);
  if (promptHint === undefined) return refuseText(requested, 'promptHint', MAX_HINT_CODE_POINTS, fields);
  const description = readText(fields, 'description', MAX_DESCRIPTION_CODE_POINTS);
  if (description === undefined)
    return refuseText(requested, 'description', MAX_DESCRIPTION_CODE_POINTS, fields);
  const contentHash = createHash('sha256').update(bytes).digest('hex');
  return accepted(
    Object.freeze({ name: requested, tools: tools.value, promptHint, description, contentHash }),
  );
}

/** The trimmed text of an optional key, null when absent or blank, undefined when it may not stand there. */
function readText(
  fields: ReadonlyMap<string, FrontMatterValue>,
  key: string,
  maxCodePoints: number,
): string | null | undefined {
  if (!fields.has(key)) return null;
  const value = fields.get(key);
  if (typeof value !== 'string') return undefined;
  const text = value.trim();
  if (Array.from(text).length > maxCodePoints) return undefined;
  return text === '' ? null : text;
}

function refuseText(
  requested: ProfileName,
  key: 'promptHint' | 'description',
  maxCodePoints: number,
  fields: ReadonlyMap<string, FrontMatterValue>,
): Rejected {
  const value = fields.get(key);
  const shape = typeof value === 'string' ? 'a longer text' : described(value);
  return refuse(
    requested,
    key,
    `has ${shape} as ${key}; it must be a string of at most ${maxCodePoints} characters`,
  );
}

function refuse(
  requested: ProfileName,
  reason: RejectionReason,
  fault: string,
  offenders: readonly string[] = [],
): Rejected {
  return rejected(PolicyCode.PROFILE_FILE_INVALID, `Profile ${quoted(requested)} ${fault}`, {
    offenders,
    reason,
  });
}
