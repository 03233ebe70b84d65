import { startEmbeddedPostgres } from '../start-embedded-postgres.js';

/** Starts the cluster of the folder given as argument, says so in one JSON line, and waits to be killed. */
const dataDir = process.argv[2] ?? '';
startEmbeddedPostgres({ dataDir, isDurable: false }).then(
  ({ url, pid, adopted }) => {
    process.stdout.write(`${JSON.stringify({ url, pid, adopted })}\n`);
    process.stdin.resume();
    process.stdin.once('end', () => process.exit(0));
  },
  (error: unknown) => {
    process.stdout.write(`${JSON.stringify({ error: String(error) })}\n`);
    process.exitCode = 1;
  },
);
