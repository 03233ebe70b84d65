import type { RejectionReason } from '../rejection.js';

/** A file cut at its fences, or which check failed; messages never quote the file. */
export type SplitFile =
  | { readonly ok: true; readonly yaml: string; readonly body: string }
  | { readonly ok: false; readonly reason: RejectionReason; readonly fault: string };

const FENCE = '---';

/**
 * Decodes a file with front matter: size, UTF-8, one optional byte order mark, LF or CRLF, a first line that is exactly
 * `---` and a later one that closes it (spec 02 §4). Line ends of the answer are LF.
 */
export function splitFrontMatter(bytes: Uint8Array, maxBytes: number): SplitFile {
  if (bytes.byteLength > maxBytes)
    return failed('size', `is larger than ${maxBytes.toLocaleString('en')} bytes`);
  const decoded = decodeUtf8(bytes);
  if (decoded === null) return failed('encoding', 'is not valid UTF-8');
  const text = decoded.replace(/^\uFEFF/, '').replaceAll('\r\n', '\n');
  if (hasControlCharacter(text)) return failed('encoding', 'contains a control character or a lone CR');
  const lines = text.split('\n');
  if (lines[0] !== FENCE) return failed('frontmatter', 'does not start with a line of exactly "---"');
  const close = lines.indexOf(FENCE, 1);
  if (close < 0) return failed('frontmatter', 'has no closing line of exactly "---"');
  return { ok: true, yaml: lines.slice(1, close).join('\n'), body: lines.slice(close + 1).join('\n') };
}

/** True for any control character other than tab and line feed. */
export function hasControlCharacter(text: string): boolean {
  return /[^\P{Cc}\t\n]/u.test(text);
}

function decodeUtf8(bytes: Uint8Array): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return null;
  }
}

function failed(reason: RejectionReason, fault: string): SplitFile {
  return { ok: false, reason, fault };
}
