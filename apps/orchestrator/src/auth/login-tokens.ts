import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';

const loginLifeMs = 10 * 60_000;
/** Tokens of one process that are not exchanged yet; the oldest goes first. */
const tokensKept = 100;

interface KnownToken {
  readonly digest: Buffer;
  readonly holderId: string;
  readonly endsMs: number;
}

/** One-time tokens of this process, each good for ten minutes and for whoever had it made. */
export class LoginTokens {
  private tokens: readonly KnownToken[] = [];

  constructor(private readonly now: () => Date) {}

  make(holderId: string): string {
    const token = randomBytes(24).toString('base64url');
    const endsMs = this.now().getTime() + loginLifeMs;
    const kept = this.tokens.slice(-(tokensKept - 1));
    this.tokens = [...kept, { digest: digest(token), holderId, endsMs }];
    return token;
  }

  /** Whose token it is, once; null when it is wrong, was used or is too old. */
  take(token: string): string | null {
    const offered = digest(token);
    const match = this.tokens.find((known) => timingSafeEqual(offered, known.digest));
    if (match === undefined) return null;
    this.tokens = this.tokens.filter((known) => known !== match);
    return match.endsMs < this.now().getTime() ? null : match.holderId;
  }
}

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
