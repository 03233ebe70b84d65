import { readOptions } from './read-options.js';
import { startModelServer } from './start-model-server.js';

async function main(): Promise<void> {
  const server = await startModelServer(readOptions(process.argv.slice(2), process.env));
  let stopping = false;
  const stop = () => {
    if (stopping) process.exit(1);
    stopping = true;
    void server.close().then(() => process.exit(0));
  };
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
  // The process that started this one is gone: nothing may outlive it.
  process.on('disconnect', stop);
  // Gone before we listened: no event follows. Undefined means that nobody started us with a channel.
  if (!((process.connected as boolean | undefined) ?? true)) stop();
  process.stdout.write(`${JSON.stringify({ listening: server.url })}\n`);
}

main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
});
