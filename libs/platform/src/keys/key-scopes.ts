/** What a key may do (spec 05 §7), each beyond the ones before it: `observe` reads, `launch` begins work, `operate` steers and answers. */
export const keyScopes = ['observe', 'launch', 'operate', 'admin'] as const;
export type KeyScope = (typeof keyScopes)[number];

/** The tenant of the admin key, and of everything that was recorded before there were others. */
export const defaultTenant = 'default';

/** The scopes that granted ones amount to: each includes the ones before it. A name that is none of ours grants nothing. */
export function scopesWithin(granted: readonly string[]): ReadonlySet<KeyScope> {
  const highest = keyScopes.findLastIndex((scope) => granted.includes(scope));
  return new Set(keyScopes.slice(0, highest + 1));
}
