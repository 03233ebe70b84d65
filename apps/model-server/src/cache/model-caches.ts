import { PrefixCache } from './prefix-cache.js';

const perModel = { bodies: 1024, bytes: 32 * 1024 * 1024 };
const modelsKept = 8;

/** One `PrefixCache` a model, at most eight models; the one unused longest goes first. */
export class ModelCaches {
  private readonly caches = new Map<string, PrefixCache>();

  /** Bytes of `body` that an earlier body for the same model began with; remembers `body`. */
  observe(model: string, body: Buffer): number {
    const cache = this.caches.get(model) ?? new PrefixCache(perModel);
    this.caches.delete(model);
    this.caches.set(model, cache);
    for (const oldest of this.caches.keys()) {
      if (this.caches.size <= modelsKept) break;
      this.caches.delete(oldest);
    }
    return cache.observe(body);
  }
}
