const MAX_SHOWN = 120;

/** Cuts text to at most `limit` UTF-16 code units, never through a surrogate pair; a cut is marked by an ellipsis. */
export function cut(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const head = text.slice(0, Math.max(0, limit - 1));
  return `${/[\uD800-\uDBFF]$/.test(head) ? head.slice(0, -1) : head}…`;
}

/**
 * Text of others made safe to show on one line: in double quotes, control, format and separator characters escaped,
 * at most `limit` code units between the quotes.
 */
export function quoted(text: string, limit = MAX_SHOWN): string {
  const escaped = cut(text, limit).replace(/["\\\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu, escapeOne);
  return `"${escaped}"`;
}

/** Several names, quoted, in order; beyond `most` only counted. */
export function quotedList(names: readonly string[], most = 100): string {
  const shown = names.slice(0, most).map((name) => quoted(name));
  const rest = names.length - shown.length;
  return rest > 0 ? `${shown.join(', ')} and ${rest} more` : shown.join(', ');
}

function escapeOne(character: string): string {
  if (character === '"' || character === '\\') return `\\${character}`;
  return `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`;
}
