import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { DashboardCookie } from './dashboard-cookie.js';
import type { LiveKeys } from './live-keys.js';
import { LoginTokens } from './login-tokens.js';
import { administrator, holderOf, type Principal } from './principal.js';

const adminId = 'admin';
const dashboardId = 'dashboard';
/** Whether an id is that of a key of the store. */
const isStored = (id: string): boolean => id !== adminId && id !== dashboardId;

/**
 * Says who holds a key. Keys are compared as SHA-256 digests in constant time. Beside the keys of the store there is the admin
 * key, unless the server is reached from other machines and none was set.
 */
export class KeyRing {
  private readonly adminDigest: Buffer | null;
  private readonly cookie: DashboardCookie;
  private readonly tokens: LoginTokens;
  private used = new Set<string>();

  constructor(
    adminKey: string | null,
    private readonly keys: LiveKeys,
    now: () => Date,
  ) {
    this.adminDigest = adminKey === null ? null : digest(adminKey);
    // Without an admin key that orchestrators share, a cookie is good at the one that gave it.
    this.cookie = new DashboardCookie(adminKey ?? randomBytes(32).toString('base64url'), now);
    this.tokens = new LoginTokens(now);
  }

  /** The one-time token of a start, for whoever may read the admin key; null when there is none. */
  makeStartToken(): string | null {
    return this.adminDigest === null ? null : this.tokens.make(dashboardId);
  }

  /** A token that this process exchanges once, within ten minutes, for a cookie of the same holder. */
  makeLoginToken({ keyId }: Principal): string {
    return this.tokens.make(keyId === adminId ? dashboardId : keyId);
  }

  /** Exchanges a one-time token for a `Set-Cookie` header; null when it is wrong or was used. */
  exchange(token: string): string | null {
    const holderId = this.tokens.take(token);
    return holderId === null ? null : this.cookie.issue(holderId);
  }

  /** The principal of an `Authorization` header, else of a `Cookie` header, or null. Rejects when keys cannot be looked up. */
  async identify(authorization: string | undefined, cookies: string | undefined): Promise<Principal | null> {
    const principal =
      authorization === undefined ? await this.ofCookie(cookies ?? '') : await this.ofBearer(authorization);
    if (principal !== null) this.used.add(principal.keyId);
    return principal;
  }

  /** Calls back once when the key of a principal was revoked; the admin key never is. Answers how to take that back. */
  onRevoked({ keyId }: Principal, listener: () => void): () => void {
    return isStored(keyId) ? this.keys.onRevoked(keyId, listener) : () => undefined;
  }

  /** Ids of the keys that were used since the last call. */
  takeUsed(): readonly string[] {
    const { used } = this;
    this.used = new Set();
    return [...used].filter(isStored);
  }

  private async ofBearer(authorization: string): Promise<Principal | null> {
    const bearer = /^Bearer ([\x21-\x7e]+)$/i.exec(authorization)?.[1];
    if (bearer === undefined) return null;
    const offered = digest(bearer);
    if (this.adminDigest !== null && timingSafeEqual(offered, this.adminDigest))
      return administrator(adminId);
    const key = await this.keys.withDigest(offered);
    return key === null ? null : holderOf(key);
  }

  private async ofCookie(cookies: string): Promise<Principal | null> {
    const holderId = this.cookie.holderOf(cookies);
    if (holderId === null) return null;
    if (holderId === dashboardId) return administrator(dashboardId);
    const key = await this.keys.withId(holderId);
    return key === null ? null : holderOf(key);
  }
}

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
