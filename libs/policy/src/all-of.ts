import { accepted, type Accepted, type Result } from './rejection.js';

type Results = Readonly<Record<string, Result<unknown>>>;
type Values<T extends Results> = { readonly [Key in keyof T]: Extract<T[Key], Accepted<unknown>>['value'] };

/** All values of several results, or the first rejection in the order in which they are written down. */
export function allOf<T extends Results>(results: T): Result<Values<T>> {
  const values = new Map<string, unknown>();
  for (const [key, result] of Object.entries(results)) {
    if (!result.ok) return result;
    values.set(key, result.value);
  }
  return accepted(Object.fromEntries(values) as Values<T>);
}
