import { accepted, PolicyCode, rejected, type Result } from './rejection.js';
import { quoted } from './text/quoted.js';

const MAX_LENGTH = 128;

/**
 * Judges whether an MCP server may register under this name (spec 02 §2). Names that pass make `mcp__<server>__<tool>`
 * split in one way only. Lengths are UTF-16 code units.
 */
export function checkServerName(name: string): Result<string> {
  const fault = faultOf(name);
  if (fault === null) return accepted(name);
  return rejected(
    PolicyCode.SERVER_NAME_INVALID,
    `MCP server name ${quoted(name)} ${fault}; a name has 1 to ${MAX_LENGTH} characters without "__", "*" or control ` +
      'characters, and neither starts nor ends with "_" or whitespace.',
    { offenders: [name] },
  );
}

/** True when `checkServerName` accepts the name. */
export function isRegistrableServer(name: string): boolean {
  return faultOf(name) === null;
}

const FAULTS: readonly (readonly [RegExp, string])[] = [
  [/^$/, 'is empty'],
  [/__/, 'contains "__"'],
  [/\*/, 'contains "*"'],
  [/^_|_$/, 'starts or ends with "_"'],
  [/\p{Cc}/u, 'contains a control character'],
];

function faultOf(name: string): string | null {
  if (name.length > MAX_LENGTH) return `is longer than ${MAX_LENGTH} characters`;
  if (name !== name.trim()) return 'starts or ends with whitespace';
  return FAULTS.find(([pattern]) => pattern.test(name))?.[1] ?? null;
}
