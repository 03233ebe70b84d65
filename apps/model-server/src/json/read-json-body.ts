import { accepted, refused, type Checked } from '../refusal.js';
import { findIllFormed } from './find-ill-formed.js';

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

function decode(body: Uint8Array): string | null {
  try {
    return decoder.decode(body);
  } catch {
    return null;
  }
}

function parse(text: string): { readonly value: unknown } | null {
  try {
    return { value: JSON.parse(text) as unknown };
  } catch {
    return null;
  }
}

/** Bytes → JSON value. Refuses bytes that are not UTF-8, text that is not JSON, and what `findIllFormed` names. */
export function readJsonBody(body: Uint8Array): Checked<unknown> {
  const text = decode(body);
  if (text === null) return refused('The body of your request is not valid UTF-8.', null, 'invalid_utf8');
  const parsed = parse(text);
  if (parsed === null)
    return refused('We could not parse the JSON body of your request.', null, 'invalid_json');
  const bad = findIllFormed(parsed.value);
  if (bad !== null)
    return refused(`Invalid value at '${bad.path}': ${bad.fault}.`, bad.path, 'invalid_unicode_or_depth');
  return accepted(parsed.value);
}
