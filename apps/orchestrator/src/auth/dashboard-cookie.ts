import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

const cookieName = 'offshoot_session';
const cookieLifeMs = 12 * 3_600_000;
const inHeader = new RegExp(`(?:^|;\\s*)${cookieName}=([A-Za-z0-9._-]+)`);

/**
 * The cookie of the dashboard: a signed, expiring statement of whose link was followed. It carries no more than that holder may do,
 * and nothing once the holder's key is gone; every orchestrator with the same secret can check it.
 */
export class DashboardCookie {
  private readonly signingKey: Buffer;

  constructor(
    secret: string,
    private readonly now: () => Date,
  ) {
    this.signingKey = createHmac('sha256', secret).update('offshoot dashboard cookie').digest();
  }

  /** A `Set-Cookie` header for a holder, whose id holds letters, digits and dashes only. */
  issue(holderId: string): string {
    const expires = (this.now().getTime() + cookieLifeMs).toString(36);
    const value = `${expires}.${holderId}.${randomBytes(9).toString('base64url')}`;
    return `${cookieName}=${value}.${this.sign(value)}; HttpOnly; SameSite=Strict; Path=/; Max-Age=${cookieLifeMs / 1000}`;
  }

  /** The holder that a `Cookie` header speaks for, or null. */
  holderOf(cookies: string): string | null {
    const cookie = inHeader.exec(cookies)?.[1] ?? '';
    const cut = cookie.lastIndexOf('.');
    const value = cookie.slice(0, Math.max(cut, 0));
    const [expires = '', holderId = ''] = value.split('.');
    if (!this.isSigned(value, cookie.slice(cut + 1))) return null;
    return Number.parseInt(expires, 36) > this.now().getTime() ? holderId : null;
  }

  private isSigned(value: string, offered: string): boolean {
    const signature = Buffer.from(offered);
    const expected = Buffer.from(this.sign(value));
    return signature.length === expected.length && timingSafeEqual(signature, expected);
  }

  private sign(value: string): string {
    return createHmac('sha256', this.signingKey).update(value).digest('base64url');
  }
}
