import { idempotencyContract } from '../../testing/idempotency-contract.js';
import { readLastContract } from '../../testing/read-last-contract.js';
import { requiringContract } from '../../testing/requiring-contract.js';
import { storeContract } from '../../testing/store-contract.js';
import { openTestLog } from './testing/open-test-log.js';

const makeStore = async () => {
  const log = await openTestLog();
  return { store: log.store, close: () => log.close() };
};

storeContract('PostgresTranscriptStore', makeStore);
readLastContract('PostgresTranscriptStore', makeStore);
idempotencyContract('PostgresTranscriptStore', makeStore);
requiringContract('PostgresTranscriptStore', makeStore);
