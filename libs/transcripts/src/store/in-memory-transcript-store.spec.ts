import { idempotencyContract } from '../testing/idempotency-contract.js';
import { readLastContract } from '../testing/read-last-contract.js';
import { requiringContract } from '../testing/requiring-contract.js';
import { storeContract } from '../testing/store-contract.js';
import { InMemoryTranscriptStore } from './in-memory-transcript-store.js';

const makeStore = () =>
  Promise.resolve({ store: new InMemoryTranscriptStore(), close: () => Promise.resolve() });

storeContract('InMemoryTranscriptStore', makeStore);
readLastContract('InMemoryTranscriptStore', makeStore);
idempotencyContract('InMemoryTranscriptStore', makeStore);
requiringContract('InMemoryTranscriptStore', makeStore);
