export { storeContract } from './testing/store-contract.js';
export type { StoreUnderTest } from './testing/store-contract.js';
export { newAppend, newEvent, newId, testContext, wholeLog, wholeStream } from './testing/new-events.js';
export { InMemoryTranscriptStore } from './store/in-memory-transcript-store.js';
export { given, metaOf } from './testing/decider-spec.js';
export {
  call,
  callKey,
  event,
  recorded,
  recordOf,
  says,
  specAgentId,
  specOutcome,
  specRuntime,
  specSessionId,
  specSurface,
} from './testing/events.js';
