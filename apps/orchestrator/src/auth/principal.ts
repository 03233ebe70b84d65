import { defaultTenant, type KeyScope, keyScopes, type LiveKey, scopesWithin } from '#platform';

/** Who sent a request. */
export interface Principal {
  /** Id of the key, for the actor of events; never the key. */
  readonly keyId: string;
  readonly tenant: string;
  readonly scopes: ReadonlySet<KeyScope>;
}

const allScopes: ReadonlySet<KeyScope> = new Set(keyScopes);

/** The holder of the admin key, by whichever way: everything, in the default tenant. */
export const administrator = (keyId: 'admin' | 'dashboard'): Principal => ({
  keyId,
  tenant: defaultTenant,
  scopes: allScopes,
});

/** The holder of a key of the store. */
export const holderOf = ({ id, tenant, scopes }: LiveKey): Principal => ({
  keyId: id,
  tenant,
  scopes: scopesWithin(scopes),
});

/** The event context of a request: who, for whom, and the request that it belongs to. */
export function contextOf(principal: Principal, requestId: string) {
  return { actor: `key:${principal.keyId}`, tenant: principal.tenant, correlation: requestId };
}
