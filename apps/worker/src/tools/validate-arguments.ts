import { compileSchema, describeProblems } from './compile-schema.js';
import { findBrokenJsonLimit } from './json-limits.js';

/** The value of a call's argument text, or what is wrong with it in words for the model. */
export type ValidatedArguments =
  { readonly ok: true; readonly arguments: unknown } | { readonly ok: false; readonly problem: string };

/** Judges a value that is already parsed against the text of a JSON Schema. */
export function checkArguments(parameters: string, value: unknown): ValidatedArguments {
  const schema = compileSchema(parameters);
  if (!schema.ok)
    return { ok: false, problem: `The tool cannot be called: its schema is broken (${schema.problem}).` };
  if (schema.validate(value)) return { ok: true, arguments: value };
  return { ok: false, problem: `Wrong arguments: ${describeProblems(schema.validate.errors ?? [])}` };
}

function parseText(text: string): ValidatedArguments {
  try {
    return { ok: true, arguments: JSON.parse(text) };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return {
      ok: false,
      problem: `The arguments are not valid JSON (${reason}). Send one complete JSON object.`,
    };
  }
}

/**
 * Parses and validates the argument text of a call (spec 04 §2, §4): limits first, without recursion; then
 * strict JSON; then the tool's schema. Never throws. The value is the parser's own: a `__proto__` key is an
 * ordinary own key of it, and must not be merged into anything.
 *
 * Empty text is what providers stream for a call without arguments. It means `{}` where the schema accepts
 * that, which it does only when no argument is required; otherwise it is malformed.
 */
export function validateArguments(parameters: string, argumentsText: string): ValidatedArguments {
  const broken = findBrokenJsonLimit(argumentsText);
  if (broken !== undefined) return { ok: false, problem: `The arguments are ${broken}; send less.` };
  if (argumentsText === '') {
    const none = checkArguments(parameters, {});
    return none.ok ? none : { ok: false, problem: `The arguments are empty. ${none.problem}` };
  }
  const parsed = parseText(argumentsText);
  return parsed.ok ? checkArguments(parameters, parsed.arguments) : parsed;
}
