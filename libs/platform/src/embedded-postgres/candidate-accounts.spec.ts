import { describe, expect, it } from '@jest/globals';
import { candidateAccounts, type AccountFacts } from './candidate-accounts.js';

const nobody = { uid: 65534, gid: 65533 };
const facts = (given: Partial<AccountFacts>): AccountFacts => ({
  uid: 0,
  isKnownUser: true,
  nobody,
  owner: { uid: 0, gid: 0 },
  clusterExists: false,
  ...given,
});
const namespace = { kind: 'namespace', ...nobody };
const asUser = (uid: number, gid: number): object => ({ kind: 'user', uid, gid });

describe('the accounts a cluster may run under', () => {
  it('for root are the user namespace, then nobody', () => {
    expect(candidateAccounts(facts({}))).toEqual([namespace, asUser(65534, 65533)]);
  });

  it('for root in the folder of another user are that user too', () => {
    const owner = { uid: 1000, gid: 100 };
    expect(candidateAccounts(facts({ owner }))).toEqual([namespace, asUser(1000, 100), asUser(65534, 65533)]);
  });

  it('for root never change for a cluster that exists: its owner alone can read it', () => {
    expect(candidateAccounts(facts({ clusterExists: true }))).toEqual([namespace]);
    const owner = { uid: 1000, gid: 100 };
    expect(candidateAccounts(facts({ clusterExists: true, owner }))).toEqual([asUser(1000, 100)]);
  });

  it('for an ordinary user are that user, the namespace where the user database does not know them', () => {
    expect(candidateAccounts(facts({ uid: 1000 }))).toEqual([{ kind: 'self' }, namespace]);
    expect(candidateAccounts(facts({ uid: 1000, isKnownUser: false }))).toEqual([namespace]);
  });

  it('are none for an ordinary user over a cluster of somebody else', () => {
    expect(
      candidateAccounts(facts({ uid: 1000, clusterExists: true, owner: { uid: 1001, gid: 1 } })),
    ).toEqual([]);
  });

  it('without user ids are the current one', () => {
    expect(candidateAccounts(facts({ uid: undefined }))).toEqual([{ kind: 'self' }]);
  });
});
