import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { endProcess } from './start-system.js';

const main = join(import.meta.dirname, '..', '..', '..', 'dist/apps/orchestrator/src/main.js');

/** One more orchestrator over a database, as a process of its own. */
export interface Replica {
  readonly address: string;
  /** Absent where there is no admin key. */
  readonly dashboardUrl?: string;
  stop(): Promise<void>;
}

export interface ReplicaOptions {
  readonly databaseUrl: string;
  /** Orchestrators of one data directory share its admin key. */
  readonly dataDir: string;
  /** The queue, where it is not in the database. */
  readonly redisUrl?: string;
  /** Where it listens; loopback when absent. */
  readonly host?: string;
}

/** An orchestrator that ended before it listened, with what it said. */
export class ReplicaEndedError extends Error {}

/** Starts an orchestrator on any free port. Throws `ReplicaEndedError`. */
export async function startReplica({
  databaseUrl,
  dataDir,
  redisUrl,
  host,
}: ReplicaOptions): Promise<Replica> {
  const { REDIS_URL: _redis, OFFSHOOT_API_KEY: _key, OFFSHOOT_CONFIG: _config, ...rest } = process.env;
  const child = spawn(process.execPath, [main], {
    env: {
      ...rest,
      DATABASE_URL: databaseUrl,
      OFFSHOOT_DATA_DIR: dataDir,
      OFFSHOOT_LOG_LEVEL: 'silent',
      HOST: host ?? '127.0.0.1',
      PORT: '0',
      NODE_OPTIONS: '',
      ...(redisUrl === undefined ? {} : { REDIS_URL: redisUrl }),
    },
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  });
  const { type: _type, ...listening } = await listeningOf(child);
  return { ...listening, stop: () => endProcess(child) };
}

interface Listening {
  readonly type: 'listening';
  readonly address: string;
  readonly dashboardUrl?: string;
}

interface Refused {
  readonly type: 'refused';
  readonly message: string;
}

async function listeningOf(child: ChildProcess): Promise<Listening> {
  let said = '';
  child.stderr?.setEncoding('utf8').on('data', (text: string) => (said = (said + text).slice(-10_000)));
  const ended = new Promise<never>((_resolve, reject) => {
    child.once('close', (code) => reject(new ReplicaEndedError(`It ended with code ${code}: ${said}`)));
  });
  // Its end after the start is nobody's fault.
  ended.catch(() => undefined);
  const [message] = (await Promise.race([once(child, 'message'), ended])) as [Listening | Refused];
  if (message.type === 'listening') return message;
  // It tells whoever started it why it cannot, and ends.
  said += message.message;
  return ended;
}
