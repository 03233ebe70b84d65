const DROPPED = new Set(['script', 'style', 'noscript', 'template', 'svg', 'head']);
const BREAKING = new Set(
  'address article aside blockquote br dd div dl dt fieldset footer form h1 h2 h3 h4 h5 h6 header hr li main nav ol p pre section table td th tr ul'.split(
    ' ',
  ),
);
const ENTITIES: ReadonlyMap<string, string> = new Map([
  ['amp', '&'],
  ['lt', '<'],
  ['gt', '>'],
  ['quot', '"'],
  ['apos', "'"],
  ['nbsp', ' '],
]);
const LARGEST_CODE_POINT = 0x10ffff;

function decodeEntity(whole: string, name: string): string {
  if (!name.startsWith('#')) return ENTITIES.get(name) ?? whole;
  const code = /^#x/i.test(name) ? Number.parseInt(name.slice(2), 16) : Number.parseInt(name.slice(1), 10);
  const isScalar = code > 0 && code <= LARGEST_CODE_POINT && (code < 0xd800 || code > 0xdfff);
  return isScalar ? String.fromCodePoint(code) : whole;
}

function tagName(tag: string): string {
  return /^\/?([a-z][a-z0-9]*)/i.exec(tag)?.[1]?.toLowerCase() ?? '';
}

/** The index behind the end of an element whose content is dropped; the end of the text when it is never closed. */
function skipElement(lower: string, name: string, from: number): number {
  const closing = lower.indexOf(`</${name}`, from);
  if (closing === -1) return lower.length;
  const end = lower.indexOf('>', closing);
  return end === -1 ? lower.length : end + 1;
}

function tidy(text: string): string {
  const lines = text.split('\n').map((line) => line.replaceAll(/[ \t\r\f\v]+/g, ' ').trim());
  return lines
    .filter((line, index) => line !== '' || lines[index - 1] !== '')
    .join('\n')
    .trim();
}

interface Markup {
  readonly html: string;
  readonly lower: string;
}

/** Where the markup that begins at `open` ends, and what stands in its place. */
function readMarkup({ html, lower }: Markup, open: number): { end: number; text: string } {
  if (html.startsWith('<!--', open)) {
    const end = html.indexOf('-->', open + 4);
    return { end: end === -1 ? html.length : end + 3, text: '' };
  }
  const close = html.indexOf('>', open);
  if (close === -1) return { end: html.length, text: '' };
  const tag = html.slice(open + 1, close);
  const name = tagName(tag);
  if (DROPPED.has(name) && !tag.startsWith('/'))
    return { end: skipElement(lower, name, close + 1), text: '' };
  return { end: close + 1, text: BREAKING.has(name) ? '\n' : '' };
}

/**
 * The readable text of a page: tags, scripts and styles dropped, blocks on lines of their own, entities
 * decoded. It goes once over the text, since a page may be made to be slow; it is not a renderer.
 */
export function htmlToText(html: string): string {
  // One code unit for one: a lower-casing that changes lengths would shift every index.
  const markup = { html, lower: html.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase()) };
  const parts: string[] = [];
  let at = 0;
  while (at < html.length) {
    const open = html.indexOf('<', at);
    parts.push(html.slice(at, open === -1 ? html.length : open));
    if (open === -1) break;
    const { end, text } = readMarkup(markup, open);
    parts.push(text);
    at = end;
  }
  return tidy(parts.join('').replaceAll(/&(#x?[0-9a-f]{1,6}|[a-z]{2,4});/gi, decodeEntity));
}
