export { storeContract } from './testing/store-contract.js';
export type { StoreUnderTest } from './testing/store-contract.js';
export { newAppend, newEvent, newId, testContext, wholeLog, wholeStream } from './testing/new-events.js';
export { InMemoryTranscriptStore } from './store/in-memory-transcript-store.js';
