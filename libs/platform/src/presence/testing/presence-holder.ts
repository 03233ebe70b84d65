import { createInterface } from 'node:readline';
import { Pool } from 'pg';
import { sessionUrl } from '../session-url.js';
import { workerApplicationName } from '../worker-application-name.js';
import { WorkerPresence } from '../worker-presence.js';

/** What the spec tells the process at its start, as JSON in its first argument. */
export interface HolderOrders {
  readonly databaseUrl: string;
  readonly workerId: string;
  /** Added to the wall clock of this process, in milliseconds. */
  readonly skewMs: number;
}

const orders = JSON.parse(process.argv[2] ?? '') as HolderOrders;
const realNow = Date.now.bind(Date);
Date.now = () => realNow() + orders.skewMs;

const say = (event: string): void => void process.stdout.write(`${event}\n`);
let progresses = true;
const presence = new WorkerPresence({
  databaseUrl: orders.databaseUrl,
  workerId: orders.workerId,
  capacity: 4,
  provesProgress: () => progresses,
  onLost: (loss) => say(`lost ${loss}`),
  onRegained: () => say('regained'),
});

const traits = { applicationName: workerApplicationName(orders.workerId), settings: {} };
const pool = new Pool({ connectionString: sessionUrl(orders.databaseUrl, traits), max: 2 });
pool.on('error', () => undefined);

const commands: Record<string, () => void> = {
  // A statement that still runs when its process is killed.
  sleep: () => void pool.query('select pg_sleep(120)').catch(() => undefined),
  stall: () => (progresses = false),
  block: () => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 9000),
  stop: () => void presence.stop().then(() => process.exit(0)),
};
createInterface({ input: process.stdin }).on('line', (line) => {
  commands[line]?.();
  say(`did ${line}`);
});
await presence.start();
say('started');
