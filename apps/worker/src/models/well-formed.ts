const REPLACEMENT = '\uFFFD';

/** The text with each lone surrogate replaced by U+FFFD: providers refuse ill-formed text, the log keeps the original. */
export function wellFormedText(text: string): string {
  return text.replace(/\p{Surrogate}/gu, REPLACEMENT);
}

// Escapes are taken one after the other, so that an escaped backslash before a "u" is never mistaken for an escape.
const JSON_ESCAPE = /\\(?:u[dD][89abAB][\da-fA-F]{2}\\u[dD][c-fC-F][\da-fA-F]{2}|u[\da-fA-F]{4}|[^])/g;
const SURROGATE_ESCAPE = /^\\u[dD][89a-fA-F][\da-fA-F]{2}$/;

/** JSON text with each lone surrogate replaced, whether it is spelt out or escaped; every other byte stays as it is. */
export function wellFormedJson(json: string): string {
  const spelt = wellFormedText(json);
  if (!spelt.includes('\\u')) return spelt;
  return spelt.replace(JSON_ESCAPE, (escape) => (SURROGATE_ESCAPE.test(escape) ? '\\ufffd' : escape));
}

/** The text as a JSON string that a provider takes. */
export function quote(text: string): string {
  return JSON.stringify(wellFormedText(text));
}
