import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { allScopes, type Principal } from './principal.js';

const cookieName = 'offshoot_session';
const cookieLifeMs = 12 * 3_600_000;
const loginLifeMs = 10 * 60_000;
const loginTokensKept = 100;

/**
 * Says who holds a key. Keys are compared as SHA-256 digests in constant time. The dashboard's cookie is a signed, expiring
 * statement that a one-time token was exchanged; it can be checked by every orchestrator that shares the admin key.
 */
export class KeyRing {
  private readonly adminDigest: Buffer;
  private readonly cookieKey: Buffer;
  /** Digests of one-time tokens with their ends, oldest first. */
  private loginTokens: { readonly digest: Buffer; readonly endsMs: number }[] = [];

  constructor(
    adminKey: string,
    private readonly now: () => Date,
  ) {
    this.adminDigest = digest(adminKey);
    this.cookieKey = createHmac('sha256', adminKey).update('offshoot dashboard cookie').digest();
  }

  /** A token that this process exchanges once for a cookie, within ten minutes. */
  makeLoginToken(): string {
    const token = randomBytes(24).toString('base64url');
    const kept = this.loginTokens.slice(-(loginTokensKept - 1));
    this.loginTokens = [...kept, { digest: digest(token), endsMs: this.now().getTime() + loginLifeMs }];
    return token;
  }

  /** The principal of an `Authorization` header or a `Cookie` header, or null. */
  identify(authorization: string | undefined, cookies: string | undefined): Principal | null {
    if (authorization !== undefined) return this.holderOf(authorization);
    const cookie = new RegExp(`(?:^|;\\s*)${cookieName}=([A-Za-z0-9._-]+)`).exec(cookies ?? '')?.[1];
    return cookie !== undefined && this.isValidCookie(cookie) ? admin('dashboard') : null;
  }

  /** Exchanges the one-time token of the start for a cookie header; null when it is wrong or was used. */
  exchange(token: string): string | null {
    const offered = digest(token);
    const match = this.loginTokens.find((known) => timingSafeEqual(offered, known.digest));
    if (match === undefined || match.endsMs < this.now().getTime()) return null;
    this.loginTokens = this.loginTokens.filter((known) => known !== match);
    const expires = (this.now().getTime() + cookieLifeMs).toString(36);
    const value = `${expires}.${randomBytes(9).toString('base64url')}`;
    return `${cookieName}=${value}.${this.sign(value)}; HttpOnly; SameSite=Strict; Path=/; Max-Age=${cookieLifeMs / 1000}`;
  }

  private holderOf(authorization: string): Principal | null {
    const bearer = /^Bearer ([\x21-\x7e]+)$/i.exec(authorization)?.[1];
    return bearer !== undefined && timingSafeEqual(digest(bearer), this.adminDigest) ? admin('admin') : null;
  }

  private isValidCookie(cookie: string): boolean {
    const cut = cookie.lastIndexOf('.');
    const value = cookie.slice(0, cut);
    const signature = Buffer.from(cookie.slice(cut + 1));
    const expected = Buffer.from(this.sign(value));
    if (signature.length !== expected.length || !timingSafeEqual(signature, expected)) return false;
    return Number.parseInt(value.split('.')[0] ?? '', 36) > this.now().getTime();
  }

  private sign(value: string): string {
    return createHmac('sha256', this.cookieKey).update(value).digest('base64url');
  }
}

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

const admin = (keyId: string): Principal => ({ keyId, tenant: 'default', scopes: allScopes });
