import { storeContract } from '../testing/store-contract.js';
import { InMemoryTranscriptStore } from './in-memory-transcript-store.js';

storeContract('InMemoryTranscriptStore', () =>
  Promise.resolve({ store: new InMemoryTranscriptStore(), close: () => Promise.resolve() }),
);
