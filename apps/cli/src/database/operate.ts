import { loadConfig } from '#platform';
import { runOperation } from './run-operation.js';
import { progressLine } from './show-progress.js';
import { withDatabase } from './with-database.js';

/** Runs an operating program over the database of the configuration, which must exist, and shows how far it has come. */
export function operate<Result>(operation: object): Promise<Result> {
  return withDatabase(loadConfig(), 'existing', async (databaseUrl) => {
    const progress = progressLine();
    try {
      return await runOperation<Result>(databaseUrl, operation, progress.show);
    } finally {
      progress.end();
    }
  });
}
