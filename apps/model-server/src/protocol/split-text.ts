/** Cuts a text into pieces of at most `size` code points; none is cut in two. The empty text has no pieces. */
export function splitText(text: string, size: number): readonly string[] {
  const pieces: string[] = [];
  let start = 0;
  let points = 0;
  for (let at = 0; at < text.length;) {
    at += (text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1;
    points += 1;
    if (points === size || at >= text.length) {
      pieces.push(text.slice(start, at));
      start = at;
      points = 0;
    }
  }
  return pieces;
}
