/** The changed text and how often it was changed, or why it was not. */
export type ReplacedText =
  | { readonly ok: true; readonly text: string; readonly count: number }
  | { readonly ok: false; readonly problem: string };

function countOccurrences(text: string, part: string): number {
  let count = 0;
  for (let at = text.indexOf(part); at !== -1; at = text.indexOf(part, at + part.length)) count += 1;
  return count;
}

/** Replaces `old` by `fresh`, letter by letter: once, where `old` is unique, or everywhere. */
export function replaceText(text: string, old: string, fresh: string, everywhere: boolean): ReplacedText {
  if (old === '')
    return {
      ok: false,
      problem: 'old_string is empty: give the exact text to replace, or use write_file for a whole file.',
    };
  if (old === fresh)
    return { ok: false, problem: 'old_string and new_string are the same: nothing would change.' };
  const count = countOccurrences(text, old);
  if (count === 0)
    return {
      ok: false,
      problem:
        'old_string was not found: it must match the file exactly, whitespace and line ends included. Read the file again.',
    };
  if (count > 1 && !everywhere)
    return {
      ok: false,
      problem: `old_string was found ${count} times: add lines around it until it is unique, or set replace_all.`,
    };
  // Split and join, because a `$` in a replacement text has a meaning for String.replace.
  return { ok: true, text: text.split(old).join(fresh), count };
}
