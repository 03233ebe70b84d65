import { createHash } from 'node:crypto';

/**
 * One record on one line, with the SHA-256 of the text before it as its last field: `{…,"sum":"<hex>"}`. Text is what is
 * summed, not a value, so that a line is either byte for byte what was written or known not to be.
 */
export function sealLine(record: object): string {
  const body = JSON.stringify(record).slice(0, -1);
  return `${body},"sum":"${sumOf(body)}"}`;
}

/** `cut`: no seal at its end, as in the last line of a torn file. `altered`: sealed, but not with the sum of its text. */
export type LineFault = 'cut' | 'altered';

export type OpenedLine =
  { readonly ok: true; readonly record: unknown } | { readonly ok: false; readonly fault: LineFault };

const seal = /^,"sum":"([0-9a-f]{64})"\}$/;
const sealLength = 74;

/** Checks the seal of a line and parses what it holds. Never throws. */
export function openLine(line: string): OpenedLine {
  const match = seal.exec(line.slice(-sealLength));
  if (match === null) return { ok: false, fault: 'cut' };
  const body = line.slice(0, -sealLength);
  if (sumOf(body) !== match[1]) return { ok: false, fault: 'altered' };
  try {
    return { ok: true, record: JSON.parse(`${body}}`) };
  } catch {
    return { ok: false, fault: 'altered' };
  }
}

const sumOf = (text: string): string => createHash('sha256').update(text).digest('hex');
