/**
 * A recorded text as a column of a projection can hold it: a raw NUL and lone surrogates become the replacement character, and what is
 * longer than `most` characters is cut. A read model shows; the log keeps what was said.
 */
export function storableText(text: string, most = Infinity): string {
  const wellFormed = text.toWellFormed().replaceAll('\0', '\u{FFFD}');
  return wellFormed.length <= most ? wellFormed : Array.from(wellFormed).slice(0, most).join('');
}
