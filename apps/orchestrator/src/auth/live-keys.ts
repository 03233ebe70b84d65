import { timingSafeEqual } from 'node:crypto';
import type { LiveKey } from '#platform';

/** What was read longer ago is not trusted: this bounds for how long a revoked key can go on when every wake-up is lost. */
const trustedMs = 1_000;
/** A key that is not known is looked for again, at most this often, so that wrong keys cost no statement each. */
const missedMs = 100;

export interface LiveKeysOptions {
  readonly read: () => Promise<readonly LiveKey[]>;
  /** Milliseconds of a clock that never goes back. */
  readonly nowMs: () => number;
}

/**
 * The keys of the store as this process knows them. A request costs no statement while they were read within a second; a wake-up
 * reads them at once. What cannot be read anew is not believed: then every look-up rejects.
 */
export class LiveKeys {
  private byDigest: ReadonlyMap<string, LiveKey> = new Map();
  private byId: ReadonlyMap<string, LiveKey> = new Map();
  private readAtMs = -Infinity;
  private reading: Promise<void> | null = null;
  private following: Promise<void> | null = null;
  private readonly watched = new Map<string, Set<() => void>>();

  constructor(private readonly options: LiveKeysOptions) {}

  /** The key with this SHA-256 digest, or null. */
  withDigest(digest: Buffer): Promise<LiveKey | null> {
    return this.find(() => {
      const key = this.byDigest.get(digest.toString('hex'));
      return key !== undefined && timingSafeEqual(digest, Buffer.from(key.digest, 'hex')) ? key : null;
    });
  }

  withId(id: string): Promise<LiveKey | null> {
    return this.find(() => this.byId.get(id) ?? null);
  }

  /** Reads the keys; the read begins after this call. */
  refresh(): Promise<void> {
    if (this.reading === null) return this.startReading();
    // The one under way may have begun before what the caller knows of.
    this.following ??= this.reading.catch(() => undefined).then(() => this.startReading());
    return this.following;
  }

  /** Calls back once, with the first reading that a key is not in. Answers how to take that back. */
  onRevoked(keyId: string, listener: () => void): () => void {
    const listeners = this.watched.get(keyId) ?? new Set();
    this.watched.set(keyId, listeners.add(listener));
    return () => {
      listeners.delete(listener);
      if (listeners.size === 0 && this.watched.get(keyId) === listeners) this.watched.delete(keyId);
    };
  }

  private async find(look: () => LiveKey | null): Promise<LiveKey | null> {
    if (!this.isYounger(trustedMs)) await this.refresh();
    const known = look();
    if (known !== null || this.isYounger(missedMs)) return known;
    await this.refresh();
    return look();
  }

  private isYounger(ms: number): boolean {
    return this.options.nowMs() - this.readAtMs < ms;
  }

  private startReading(): Promise<void> {
    this.following = null;
    this.reading = this.readOnce().finally(() => (this.reading = null));
    return this.reading;
  }

  private async readOnce(): Promise<void> {
    const beganMs = this.options.nowMs();
    const keys = await this.options.read();
    this.byDigest = new Map(keys.map((key) => [key.digest, key]));
    this.byId = new Map(keys.map((key) => [key.id, key]));
    this.readAtMs = beganMs;
    for (const [id, listeners] of this.watched) if (!this.byId.has(id)) this.tell(id, listeners);
  }

  private tell(id: string, listeners: ReadonlySet<() => void>): void {
    this.watched.delete(id);
    for (const listener of listeners) listener();
  }
}
