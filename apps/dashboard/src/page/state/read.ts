/** A JSON object of unknown shape. */
export type Json = Readonly<Record<string, unknown>>;

export const isJson = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The value as an object; an empty one when it is anything else. */
export const asJson = (value: unknown): Json => (isJson(value) ? value : {});

export const asList = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** The first of the named fields that holds a non-empty string. */
export function text(source: Json, ...names: readonly string[]): string | null {
  for (const name of names) {
    const value = source[name];
    if (typeof value === 'string' && value !== '') return value;
  }
  return null;
}

/** The first of the named fields that holds a finite number. */
export function number(source: Json, ...names: readonly string[]): number | null {
  for (const name of names) {
    const value = source[name];
    if (typeof value === 'number' && Number.isFinite(value)) return value;
  }
  return null;
}

/** The strings of a list; members that are not strings are left out. */
export const strings = (value: unknown): readonly string[] =>
  asList(value).filter((member): member is string => typeof member === 'string');
