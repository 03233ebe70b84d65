import type { RejectionReason } from '../rejection.js';
import { checkKeys } from './check-keys.js';
import { type FrontMatterValue, parseStrictYaml } from './parse-strict-yaml.js';
import { hasControlCharacter, splitFrontMatter } from './split-front-matter.js';

/** What a kind of file with front matter may be. */
export interface FrontMatterRules {
  readonly maxBytes: number;
  readonly keys: readonly string[];
  /** A blank body is demanded, or a body that is not blank. */
  readonly body: 'blank' | 'text';
}

/** The fields and body of a file, or the first check that failed, as the end of a sentence about the file. */
export type FrontMatter =
  | { readonly ok: true; readonly fields: ReadonlyMap<string, FrontMatterValue>; readonly body: string }
  | {
      readonly ok: false;
      readonly reason: RejectionReason;
      readonly fault: string;
      readonly offenders?: readonly string[];
    };

/** Reads a file with strict front matter; the checks run in one order: size, encoding, fences, body, YAML, control characters, keys. */
export function readFrontMatter(bytes: Uint8Array, rules: FrontMatterRules): FrontMatter {
  const file = splitFrontMatter(bytes, rules.maxBytes);
  if (!file.ok) return file;
  const isBlank = file.body.trim() === '';
  if (isBlank !== (rules.body === 'blank')) return bodyFault(rules);
  const yaml = parseStrictYaml(file.yaml);
  if (!yaml.ok) return { ok: false, reason: 'yaml', fault: `has front matter that ${yaml.fault}` };
  if ([...yaml.fields].flat(2).some(isControlText)) {
    return { ok: false, reason: 'encoding', fault: 'makes a control character by a YAML escape' };
  }
  const unknown = checkKeys(yaml.fields.keys(), rules.keys);
  if (unknown !== null) {
    return {
      ok: false,
      reason: 'keys',
      fault: `has unknown keys: ${unknown.fault}`,
      offenders: unknown.offenders,
    };
  }
  return { ok: true, fields: yaml.fields, body: file.body };
}

function bodyFault(rules: FrontMatterRules): FrontMatter {
  const fault =
    rules.body === 'blank'
      ? 'has text after its front matter, which no agent would ever read (use promptHint)'
      : 'has no body, which is the system prompt';
  return { ok: false, reason: 'body', fault };
}

function isControlText(value: unknown): boolean {
  return typeof value === 'string' && hasControlCharacter(value);
}
