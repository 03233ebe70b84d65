import { NO_STREAM } from '../events/recorded-event.js';
import { verifyChain, type ChainVerdict } from './chain-verifier.js';
import type { TranscriptStore } from './transcript-store.js';

/** Reads a whole stream page by page and verifies its chain; a stream that does not exist verifies at `NO_STREAM`. */
export async function verifyStream(store: TranscriptStore, stream: string): Promise<ChainVerdict> {
  let verdict: ChainVerdict = { ok: true, head: NO_STREAM };
  let after: number | null = 0;
  while (after !== null && verdict.ok) {
    const page = await store.readStream(stream, after);
    verdict = verifyChain(page.events, verdict.head);
    after = page.next;
  }
  return verdict;
}
