import { foldName, protectedNames } from '#policy';
import { mark } from './shell-words.js';

const mostChoices = 64;
const group = new RegExp(`${mark.open}([^${mark.open}${mark.close}]*)${mark.close}`);
const anyText = new RegExp(`[${mark.any}${mark.star}]+`, 'g');
const marks = new RegExp(`[${Object.values(mark).join('')}]`);

/** True when nothing about the word is left to the shell. */
export const isLiteral = (word: string): boolean => !marks.test(word);

/** The words that a choice (`{a,b}`, a variable with several values) stands for; too many stand for any text. */
export function choices(word: string): readonly string[] {
  let words = [word];
  for (let found = true; found;) {
    found = words.some((text) => group.test(text));
    words = words.flatMap(oneChoice);
    if (words.length > mostChoices) return [mark.any];
  }
  return words.map((text) =>
    text.replaceAll(mark.or, ',').replaceAll(mark.open, '{').replaceAll(mark.close, '}'),
  );
}

function oneChoice(word: string): readonly string[] {
  const found = group.exec(word);
  if (found === null) return [word];
  const [whole, inside = ''] = found;
  const before = word.slice(0, found.index);
  const after = word.slice(found.index + whole.length);
  // Braces without a comma are just braces.
  const parts = inside.includes(mark.or) ? inside.split(mark.or) : [`{${inside}}`];
  return parts.map((part) => `${before}${part}${after}`);
}

/** The protected names that a path of this pattern may have as a part. `any` alone says nothing of a name and is left out. */
export function namesMatched(word: string): readonly string[] {
  const parts = word.split('/').filter((part) => part !== '' && part !== mark.any);
  return protectedNames.filter((name) => parts.some((part) => mayBe(part, name)));
}

/** True when a whole part of the path is known only to the shell that runs it. */
export const isUnknown = (word: string): boolean => word.split('/').includes(mark.any);

function mayBe(part: string, name: string): boolean {
  if (isLiteral(part)) return foldName(part) === name;
  const isHidden = name.startsWith('.') && (part.startsWith(mark.star) || part.startsWith(mark.one));
  const pattern = foldName(part).replace(anyText, mark.any);
  // A pattern with more in it than the name is long is no pattern of it, and none that takes long to compare.
  if (isHidden || pattern.replaceAll(mark.any, '').length > name.length) return false;
  return new RegExp(`^${Array.from(pattern, sourceOf).join('')}$`, 's').test(name);
}

function sourceOf(char: string): string {
  if (char === mark.any) return '.*';
  return char === mark.one ? '.' : char.replace(/[\\^$.*+?()[\]{}|/-]/, '\\$&');
}
