import type { Script } from './script-schema.js';
import { scriptSchema } from './script-schema.js';

/** A script, or one line for each thing that is wrong with it. */
export type ParsedScript =
  { readonly ok: true; readonly script: Script } | { readonly ok: false; readonly issues: readonly string[] };

/** Checks a parsed JSON value against the script format. Refusals are values; it does not throw. */
export function parseScript(value: unknown): ParsedScript {
  const parsed = scriptSchema.safeParse(value);
  if (parsed.success) return { ok: true, script: parsed.data };
  return {
    ok: false,
    issues: parsed.error.issues.map((issue) => `${issue.path.join('.') || 'script'}: ${issue.message}`),
  };
}
