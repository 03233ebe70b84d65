import { pickEnvironment } from '#platform';

/** Colours for words that say how something went; plain text where the output is no terminal or `NO_COLOR` is set. */
export interface Paint {
  readonly good: (text: string) => string;
  readonly bad: (text: string) => string;
}

/** ANSI green and red, or nothing. `NO_COLOR` counts when it is not empty. */
export function paintFor(
  isTerminal: boolean,
  noColor: string | undefined = pickEnvironment(['NO_COLOR'])['NO_COLOR'],
): Paint {
  if (!isTerminal || (noColor ?? '') !== '') return { good: (text) => text, bad: (text) => text };
  return { good: (text) => `\u001b[32m${text}\u001b[39m`, bad: (text) => `\u001b[31m${text}\u001b[39m` };
}

export const print = (text: string): void => void process.stdout.write(text);
export const printJson = (value: unknown): void => print(`${JSON.stringify(value, null, 2)}\n`);
