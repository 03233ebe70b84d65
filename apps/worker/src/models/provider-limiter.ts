/** Leave to send one request. `release` must be called when its stream ended, however it did. */
export type Permit =
  | { readonly ok: true; readonly release: () => void }
  /** Not within the time that was offered: come back after `waitMs`. */
  | { readonly ok: false; readonly waitMs: number };

export interface AcquireOptions {
  readonly signal: AbortSignal;
  /** How long the caller is willing to hold its worker slot for this. */
  readonly maxWaitMs: number;
}

/** The port to what all requests under one provider key share: how many may run, and since when the provider is tired. */
export abstract class ProviderLimiter {
  /** Answers in the order of asking. Rejects with the signal's reason when it fires. */
  abstract acquire(limiterKey: string, options: AcquireOptions): Promise<Permit>;

  /** The provider asked this key to stay away: nobody is let through for `delayMs`. */
  abstract pause(limiterKey: string, delayMs: number): void;
}
