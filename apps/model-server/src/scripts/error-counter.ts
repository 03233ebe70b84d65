import { createHash } from 'node:crypto';

const maxKeys = 10_000;

/**
 * Counts how often a scripted error was answered to the very same request bytes, for `error.times`. A retry sends the
 * same bytes, so this needs no knowledge of who asks; bounded, the oldest counts go first.
 */
export class ErrorCounter {
  private readonly counts = new Map<string, number>();

  /** Key of one rule of one script for one body. */
  static keyOf(script: string, rule: number, body: Uint8Array): string {
    return `${script} ${rule} ${createHash('sha256').update(body).digest('base64url')}`;
  }

  count(key: string): number {
    return this.counts.get(key) ?? 0;
  }

  add(key: string): void {
    const next = this.count(key) + 1;
    this.counts.delete(key);
    this.counts.set(key, next);
    for (const oldest of this.counts.keys()) {
      if (this.counts.size <= maxKeys) break;
      this.counts.delete(oldest);
    }
  }
}
