import { PolicyCode, printAllowlist, type Profile, type Result } from '#policy';
import type { OracleProfile } from './strict-oracle.js';
import type { Playground } from './playground.js';

/** A broken promise: something of a file outside came out, more was accepted than may be, less than must be, or it threw. */
export interface Violation {
  readonly kind: 'leak' | 'wider' | 'different' | 'refused' | 'untyped';
  readonly what: string;
}

/** What a read has to come to: the content as another reader understands it, a refusal, or the fixed list of a swapped file. */
export interface Expected {
  readonly accepts: OracleProfile | null;
  /** True when this very content must be accepted. */
  readonly must: boolean;
}

const codes: ReadonlySet<string> = new Set(Object.values(PolicyCode));

/** Judges one answer; null when every promise is kept. */
export function judgeResult(
  result: Result<Profile>,
  expected: Expected,
  { canary, outsideHashes }: Playground,
): Violation | null {
  const text = JSON.stringify(result);
  if (text.includes(canary)) return { kind: 'leak', what: text };
  if (!result.ok) {
    const { code, message, reason } = result.rejection;
    if (!codes.has(code) || message === '' || reason === undefined) return { kind: 'untyped', what: text };
    return expected.must ? { kind: 'refused', what: text } : null;
  }
  if (outsideHashes.has(result.value.contentHash)) return { kind: 'leak', what: text };
  return judgeAccepted(result.value, expected.accepts);
}

function judgeAccepted(profile: Profile, oracle: OracleProfile | null): Violation | null {
  const found: OracleProfile = {
    tools: printAllowlist(profile.tools),
    promptHint: profile.promptHint,
    description: profile.description,
  };
  if (oracle === null) return { kind: 'wider', what: JSON.stringify(found) };
  const [left, right] = [JSON.stringify(found), JSON.stringify(oracle)];
  return left === right ? null : { kind: 'different', what: `${left} but ${right}` };
}
