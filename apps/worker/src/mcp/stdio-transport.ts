import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import type { Readable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { ReadBuffer, serializeMessage } from '@modelcontextprotocol/sdk/shared/stdio.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';
import { killMarked } from '../tools/kill-marked.js';
import { LIFELINE_SCRIPT } from '../tools/lifeline-script.js';
import { signalGroup } from './signal-group.js';

/** A server to start; `env` is all of its environment. */
export interface StdioServer {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
}

const GRACE_MS = 1_000;
const STDIN_GRACE_MS = 500;
/** The longest message that is read; a longer one ends the connection. */
const LONGEST_MESSAGE_BYTES = 64 * 1_048_576;
const KEPT_ERROR_UNITS = 1_000;

/** The lifeline mixes error into output for people; here output is protocol, so error goes to a descriptor of its own. */
const OWN_STDERR = 'exec 2>&4 4>&-; exec "$@"';

/**
 * A server as a child process in a group of its own, that dies with its owner however that goes (`LIFELINE_SCRIPT`): on
 * close, on its own end and on a SIGKILL of the worker, its group and whatever bears its mark are killed. The SDK's own
 * transport signals one process only.
 */
export class StdioTransport implements Transport {
  onclose: Transport['onclose'];
  onerror: Transport['onerror'];
  onmessage: Transport['onmessage'];
  private readonly mark = randomUUID();
  private readonly buffer = new ReadBuffer({ maxBufferSize: LONGEST_MESSAGE_BYTES });
  private child: ChildProcess | null = null;
  private ended: Promise<void> = Promise.resolve();
  private errorText = '';

  constructor(private readonly server: StdioServer) {}

  /** The end of what the server wrote to its standard error, for saying why it failed. */
  get errorTail(): string {
    return this.errorText.trim();
  }

  async start(): Promise<void> {
    const { command, args, env, cwd } = this.server;
    const script = ['-c', LIFELINE_SCRIPT, 'sh', this.mark, 'sh', '-c', OWN_STDERR, 'sh'];
    const child = spawn('sh', [...script, command, ...args], {
      cwd,
      env,
      detached: true,
      stdio: ['pipe', 'pipe', 'ignore', 'pipe', 'pipe'],
    });
    await once(child, 'spawn');
    this.child = child;
    this.ended = this.afterExit(child);
    this.listen(child);
  }

  async send(message: JSONRPCMessage): Promise<void> {
    const stdin = this.child?.stdin;
    if (stdin?.writable !== true) throw new Error('Not connected');
    await new Promise<void>((resolve, reject) => {
      stdin.write(serializeMessage(message), (error) => (error == null ? resolve() : reject(error)));
    });
  }

  /** Asks the server to end by closing its input, then by signal, then makes it. Resolves when nothing of it is left. */
  async close(): Promise<void> {
    const child = this.child;
    if (child === null) return;
    child.stdin?.end();
    const isEnding = this.ended.then(() => true);
    const graces = [() => undefined, () => signalGroup(child.pid, 'SIGTERM')];
    for (const [step, ask] of graces.entries()) {
      ask();
      const graceMs = step === 0 ? STDIN_GRACE_MS : GRACE_MS;
      if (await Promise.race([isEnding, delay(graceMs, false)])) return;
    }
    signalGroup(child.pid, 'SIGKILL');
    await Promise.race([this.ended, delay(GRACE_MS)]);
  }

  private listen(child: ChildProcess): void {
    const fault = (error: Error): void => this.onerror?.(error);
    for (const stream of child.stdio) stream?.on('error', fault);
    child.on('error', fault);
    child.stdout?.on('data', (chunk: Buffer) => this.read(chunk));
    (child.stdio[4] as Readable | null)?.on('data', (chunk: Buffer) => {
      this.errorText = (this.errorText + chunk.toString()).slice(-KEPT_ERROR_UNITS);
    });
  }

  private read(chunk: Buffer): void {
    try {
      this.buffer.append(chunk);
    } catch (error) {
      this.onerror?.(error as Error);
      void this.close();
      return;
    }
    while (this.readOne());
  }

  /** Reads one message; a line that is none is reported and skipped, since servers print what does not belong there. */
  private readOne(): boolean {
    try {
      const message = this.buffer.readMessage();
      if (message !== null) this.onmessage?.(message);
      return message !== null;
    } catch (error) {
      this.onerror?.(error as Error);
      return true;
    }
  }

  private async afterExit(child: ChildProcess): Promise<void> {
    const drained = once(child, 'close');
    await once(child, 'exit');
    // The watcher of the lifeline is in the group and holds the pipes; it has nothing left to watch.
    signalGroup(child.pid, 'SIGKILL');
    await killMarked(this.mark);
    // What was answered before the end is still read; whoever escaped may hold the pipe open, and nobody waits for it.
    await Promise.race([drained, delay(GRACE_MS)]);
    for (const stream of child.stdio) stream?.destroy();
    this.child = null;
    this.onclose?.();
  }
}
