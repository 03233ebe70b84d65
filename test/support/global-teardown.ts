import type { TestServicesShelf } from './test-services.js';

/** Ends what the global setup started. */
export default async function globalTeardown(): Promise<void> {
  const shelf = globalThis as typeof globalThis & TestServicesShelf;
  await shelf.offshootTestServices?.leave();
}
