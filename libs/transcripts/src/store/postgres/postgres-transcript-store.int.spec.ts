import { storeContract } from '../../testing/store-contract.js';
import { openTestLog } from './testing/open-test-log.js';

storeContract('PostgresTranscriptStore', async () => {
  const log = await openTestLog();
  return { store: log.store, close: () => log.close() };
});
