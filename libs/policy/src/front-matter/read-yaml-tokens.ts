import { type CST, Lexer, Parser } from 'yaml';

/** Open collections at once: a definition needs three, and what comes after this is recursive. */
const MAX_OPEN = 10;
/** Lexemes in all: a list of 1,000 commented entries needs half of them. */
const MAX_LEXEMES = 20_000;

/** The concrete syntax of a YAML text, or what is wrong with it as the end of a sentence. */
export type YamlTokens =
  | { readonly ok: true; readonly tokens: readonly CST.Token[] }
  | { readonly ok: false; readonly fault: string };

/**
 * Reads the concrete syntax lexeme by lexeme and stops at the first one too deep or too many, so that a small file cannot
 * take the stack or the time of the process.
 */
export function readYamlTokens(text: string): YamlTokens {
  const parser = new Parser();
  const tokens: CST.Token[] = [];
  let lexemes = 0;
  for (const lexeme of new Lexer().lex(text)) {
    tokens.push(...parser.next(lexeme));
    lexemes += 1;
    if (parser.stack.length > MAX_OPEN) return { ok: false, fault: 'is nested too deeply' };
    if (lexemes > MAX_LEXEMES) return { ok: false, fault: 'has too many parts' };
  }
  tokens.push(...parser.end());
  return { ok: true, tokens };
}
