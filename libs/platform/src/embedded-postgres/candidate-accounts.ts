import type { Account } from './account.js';

/** What decides under which accounts a cluster may run. Ids are those of the operating system. */
export interface AccountFacts {
  /** Our own effective user; undefined where the system has no such ids (Windows). */
  readonly uid: number | undefined;
  /** Whether our user has an entry in the user database: `initdb` insists on one. */
  readonly isKnownUser: boolean;
  readonly nobody: { readonly uid: number; readonly gid: number };
  /** Owner of the existing cluster, or of the folder in which a new one will be made. */
  readonly owner: { readonly uid: number; readonly gid: number };
  readonly clusterExists: boolean;
}

/**
 * The accounts to try, best first. An existing cluster belongs to its owner for ever; an empty answer means
 * that nobody we can be may run it. For a new one, root prefers the user namespace (no other user, no change
 * of owner, also below folders that others cannot enter), then the owner of the folder, then nobody.
 */
export function candidateAccounts(facts: AccountFacts): readonly Account[] {
  if (facts.uid === undefined) return [{ kind: 'self' }];
  if (facts.uid === 0) return accountsOfRoot(facts);
  const isOurs = !facts.clusterExists || facts.owner.uid === facts.uid;
  if (!isOurs) return [];
  const namespace: Account = { kind: 'namespace', ...facts.nobody };
  return facts.isKnownUser ? [{ kind: 'self' }, namespace] : [namespace];
}

function accountsOfRoot({ owner, nobody, clusterExists }: AccountFacts): readonly Account[] {
  const namespace: Account = { kind: 'namespace', ...nobody };
  const asOwner: readonly Account[] = owner.uid === 0 ? [] : [{ kind: 'user', ...owner }];
  if (clusterExists) return owner.uid === 0 ? [namespace] : asOwner;
  return [namespace, ...asOwner, { kind: 'user', ...nobody }];
}
