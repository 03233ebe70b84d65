/**
 * The own enumerable fields of a plain object as a `Map`, or null for anything else. Reading through it keeps inherited
 * names and a prototype set by `__proto__` out of every decision.
 */
export function ownFields(value: unknown): ReadonlyMap<string, unknown> | null {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return null;
  const prototype: unknown = Object.getPrototypeOf(value);
  // A plain object of another realm has another Object.prototype; only its own prototype, null, tells.
  if (prototype !== null && Object.getPrototypeOf(prototype) !== null) return null;
  return new Map(Object.entries(value));
}
