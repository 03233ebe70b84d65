/** What a key may do; each scope includes the ones before it (spec 05 §7). */
export const scopes = ['observe', 'launch', 'operate', 'admin'] as const;
export type Scope = (typeof scopes)[number];

/** Who sent a request. */
export interface Principal {
  /** Id of the key, for the actor of events; never the key. */
  readonly keyId: string;
  readonly tenant: string;
  readonly scopes: ReadonlySet<Scope>;
}

export const allScopes: ReadonlySet<Scope> = new Set(scopes);

/** The event context of a request: who, for whom, and the request that it belongs to. */
export function contextOf(principal: Principal, requestId: string) {
  return { actor: `key:${principal.keyId}`, tenant: principal.tenant, correlation: requestId };
}
