import { announced, type HereDocument, skipBodies } from './here-documents.js';

/** Marks in a word for what the shell puts in its place: any text, any name, one character, and the parts of a choice. */
export const mark = Object.freeze({
  any: '\uE000',
  star: '\uE001',
  one: '\uE002',
  open: '\uE003',
  or: '\uE004',
  close: '\uE005',
} as const);

/** One word, quotes gone; `isTarget` where output is redirected to it. */
export interface ShellWord {
  readonly text: string;
  readonly isTarget: boolean;
}

/** The words of one simple command. */
export type ShellCommand = readonly ShellWord[];

const blank = /[\s;&|()]/;
const assignment = /^([A-Za-z_]\w*)\+?=(.*)$/s;
/** What a variable stands for whose value no command line gives: a number. */
const numbers = '?#$!';
const longestValue = 1_000;
const expansion =
  /^(?:\[[^\s\]]{1,64}\]|\$\(\(.{0,999}?\)\)|\$\((.*?)\)|`([^`]*)`|\$\{([^}]*)\}|\$(\w+|[?#$!@*-]))/s;

/**
 * Cuts a command into simple commands and words as far as it can be told without running it: quotes and escapes are taken away, variables
 * that the command itself assigns are put in, whatever else is found out only by running is marked. It takes more for words than a shell
 * would (comments), never less. Commands inside substitutions come at the end.
 */
export function shellCommands(text: string): readonly ShellCommand[] {
  return new Lexer(text).commands();
}

class Lexer {
  private readonly done: ShellWord[][] = [[]];
  private readonly variables = new Map<string, string>([
    ['PWD', '.'],
    ['OLDPWD', mark.any],
  ]);
  private readonly nested: string[] = [];
  private documents: HereDocument[] = [];
  private at = 0;
  private word = '';
  private hasWord = false;
  private isTarget = false;

  constructor(private readonly text: string) {}

  commands(): readonly ShellCommand[] {
    while (this.at < this.text.length) this.step(this.text.charAt(this.at));
    this.endWord();
    const inner = this.nested.flatMap((text) => shellCommands(text));
    return [...this.done.filter((command) => command.length > 0), ...inner];
  }

  private step(char: string): void {
    const quoted = this.quoted(char) || this.expanded(char);
    if (quoted) return;
    this.at += 1;
    if (char === '>' || char === '<') this.redirect(char);
    else if (blank.test(char)) this.endAt(char);
    else this.add(unquotedMark(char));
  }

  private add(text: string): void {
    this.word += text;
    this.hasWord = true;
  }

  /** Quotes and escapes; an opening quote without an end is a character. */
  private quoted(char: string): boolean {
    if (char === '\\') return this.escaped();
    const start = /^\$['"]/.test(this.text.slice(this.at, this.at + 2)) ? 2 : 1;
    const quote = this.text.charAt(this.at + start - 1);
    const end = /['"]/.test(quote) ? this.closing(quote, this.at + start) : -1;
    if (end < 0) return false;
    const inside = this.text.slice(this.at + start, end);
    this.at = end + 1;
    if (quote === '"') this.add(this.interpolated(inside));
    else this.add(start === 2 ? decoded(inside) : inside);
    return true;
  }

  private escaped(): boolean {
    const next = this.text.charAt(this.at + 1);
    this.add(next === '\n' ? '' : next);
    this.at += 2;
    return true;
  }

  private closing(quote: string, from: number): number {
    if (quote === "'") return this.text.indexOf(quote, from);
    for (let at = from; at < this.text.length; at += this.text.charAt(at) === '\\' ? 2 : 1)
      if (this.text.charAt(at) === quote) return at;
    return -1;
  }

  /** Text in double quotes: what is expanded there, no patterns. */
  private interpolated(text: string): string {
    return text.replace(/\\(.)|\$\(([^)]*)\)|`([^`]*)`|\$\{([^}]*)\}|\$(\w+|[?#$!@*-])/gs, (...found) => {
      const [, escaped, inner = found[3] as string | undefined, , braced, name] = found as (
        string | undefined
      )[];
      if (escaped !== undefined) return escaped;
      if (inner !== undefined) return this.substituted(inner);
      return this.valueOf(braced ?? name ?? '');
    });
  }

  /** A variable, a command in place, a sum or a set of characters, outside quotes. */
  private expanded(char: string): boolean {
    if (!'$`['.includes(char)) return false;
    const found = expansion.exec(this.text.slice(this.at));
    if (found === null) return false;
    this.at += found[0].length;
    this.add(this.expansionOf(found));
    return true;
  }

  private expansionOf([whole, inner, ticked, braced, name]: RegExpExecArray): string {
    if (whole.startsWith('[')) return mark.one;
    if (whole.startsWith('$((')) return '0';
    const command = inner ?? ticked;
    return command === undefined ? this.valueOf(braced ?? name ?? '') : this.substituted(command);
  }

  private substituted(command: string): string {
    this.nested.push(command);
    return command.trim() === 'pwd' ? '.' : mark.any;
  }

  private valueOf(name: string): string {
    return numbers.includes(name) && name !== '' ? '0' : (this.variables.get(name) ?? mark.any);
  }

  private redirect(char: string): void {
    this.endWord();
    const found = char === '<' ? announced(this.text.slice(this.at, this.at + 100)) : null;
    if (found !== null) {
      this.documents.push(found.document);
      this.at += found.length;
      return;
    }
    while (/[<>|&]/.test(this.text.charAt(this.at))) this.at += 1;
    this.isTarget = char === '>';
  }

  private endAt(char: string): void {
    this.endWord();
    if (/[^\S\n]/.test(char)) return;
    this.isTarget = false;
    this.done.push([]);
    if (char === '\n') this.skipDocuments();
  }

  /** Lines of here-documents are no commands, but for those that the shell puts in place. */
  private skipDocuments(): void {
    const { at, live } = skipBodies(this.text, this.at, this.documents);
    this.documents = [];
    this.at = at;
    for (const body of live) this.interpolated(body);
  }

  private endWord(): void {
    if (!this.hasWord) return;
    const { word: text, isTarget } = this;
    this.word = '';
    this.hasWord = false;
    this.isTarget = false;
    this.done.at(-1)?.push({ text, isTarget });
    this.remember(text);
  }

  /** A variable that is assigned twice may stand for either value. */
  private remember(text: string): void {
    const [, name, value] = assignment.exec(text) ?? this.loopVariable(text);
    if (name === undefined || value === undefined) return;
    const before = this.variables.get(name);
    const either = before === undefined ? value : `${mark.open}${before}${mark.or}${value}${mark.close}`;
    this.variables.set(name, either.length > longestValue ? mark.any : either);
  }

  private loopVariable(value: string): readonly (string | undefined)[] {
    const words = this.done.at(-1) ?? [];
    const isLoop = words.length > 3 && words.at(0)?.text === 'for' && words.at(2)?.text === 'in';
    return isLoop ? ['', words.at(1)?.text, value] : [];
  }
}

function unquotedMark(char: string): string {
  const marks: Readonly<Record<string, string>> = {
    '*': mark.star,
    '?': mark.one,
    '{': mark.open,
    ',': mark.or,
    '}': mark.close,
  };
  return marks[char] ?? char;
}

/** The text of `$'…'`. */
function decoded(text: string): string {
  return text.replace(
    /\\(?:x([0-9a-f]{1,2})|u([0-9a-f]{1,4})|U([0-9a-f]{1,8})|([0-7]{1,3})|(.))/gis,
    (...found) => {
      const [, hex, short, long, octal, other] = found as (string | undefined)[];
      const code = hex ?? short ?? long;
      if (code !== undefined) return String.fromCodePoint(Math.min(Number.parseInt(code, 16), 0x10_ff_ff));
      return octal === undefined ? (other ?? '') : String.fromCharCode(Number.parseInt(octal, 8) % 256);
    },
  );
}
