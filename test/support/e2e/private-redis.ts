import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { freePort } from './free-port.js';

/** A Redis of one suite, to be ended, started again on its port, and emptied. It keeps nothing over a restart. */
export class PrivateRedis {
  private server: ChildProcess | null = null;

  private constructor(private readonly port: number) {}

  /** Starts one, or answers null where there is no `redis-server` on the PATH. */
  static async start(): Promise<PrivateRedis | null> {
    if (!(await hasRedis())) return null;
    const redis = new PrivateRedis(await freePort());
    await redis.start();
    return redis;
  }

  get url(): string {
    return `redis://127.0.0.1:${this.port}`;
  }

  async start(): Promise<void> {
    const settings = ['--bind', '127.0.0.1', '--port', String(this.port), '--save', '', '--appendonly', 'no'];
    // The shell keeps our pipe as its input, so that Redis ends with us, however we end.
    const script =
      'redis-server "$@" >/dev/null 2>&1 & server=$!; cat >/dev/null; kill -KILL $server; wait $server';
    const server = spawn('sh', ['-c', script, 'sh', ...settings], { stdio: ['pipe', 'ignore', 'ignore'] });
    this.server = server;
    for (let waitedMs = 0; waitedMs < 20_000; waitedMs += 50) {
      if ((await this.ask('PING')) === '+PONG') return;
      await pause(50);
    }
    throw new Error(`redis-server did not answer on port ${this.port}.`);
  }

  /** Ends it without warning. */
  async kill(): Promise<void> {
    const { server } = this;
    if (server === null) return;
    this.server = null;
    const gone = once(server, 'exit');
    server.stdin?.end();
    await gone;
  }

  async empty(): Promise<void> {
    const answer = await this.ask('FLUSHALL');
    if (answer !== '+OK') throw new Error(`Redis did not empty itself: ${answer}`);
  }

  /** How many keys it holds. */
  async size(): Promise<number> {
    return Number((await this.ask('DBSIZE')).slice(1));
  }

  private ask(command: string): Promise<string> {
    return new Promise((resolve) => {
      const socket = connect(this.port, '127.0.0.1', () => socket.write(`${command}\r\n`));
      const end = (answer: string): void => {
        socket.destroy();
        resolve(answer);
      };
      socket.once('error', () => end(''));
      socket.once('data', (data) => end(data.toString().trim()));
    });
  }
}

function hasRedis(): Promise<boolean> {
  return new Promise((resolve) => {
    const lookup = spawn('redis-server', ['--version'], { stdio: 'ignore' });
    lookup.once('error', () => resolve(false));
    lookup.once('exit', () => resolve(true));
  });
}
