/** A here-document that was announced: the line that ends it, and whether the shell expands nothing in it. */
export interface HereDocument {
  readonly end: string;
  readonly isRaw: boolean;
}

const announcement = /^<-?[ \t]*(['"\\]?)([\w.-]+)\1?/;

/** What an announcement behind `<` says, and how long it is; null for any other redirection. */
export function announced(rest: string): { readonly document: HereDocument; readonly length: number } | null {
  const [whole, quote, end] = announcement.exec(rest) ?? [];
  if (whole === undefined || end === undefined) return null;
  return { document: { end, isRaw: quote !== '' }, length: whole.length };
}

/** Where the bodies of the announced documents end, and the text of those in which the shell still looks for commands. */
export function skipBodies(
  text: string,
  from: number,
  documents: readonly HereDocument[],
): { readonly at: number; readonly live: readonly string[] } {
  const lines = text.slice(from).split('\n');
  const live: string[] = [];
  let read = 0;
  for (const { end, isRaw } of documents) {
    const found = lines.findIndex((line, index) => index >= read && line.replace(/^\t+/, '') === end);
    const last = found < 0 ? lines.length : found;
    if (!isRaw) live.push(lines.slice(read, last).join('\n'));
    read = last + 1;
  }
  const length = lines.slice(0, read).reduce((sum, line) => sum + line.length + 1, 0);
  return { at: Math.min(from + length, text.length), live };
}
