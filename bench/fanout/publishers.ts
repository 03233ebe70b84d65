import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import pg from 'pg';
import { newId } from '#platform';
import { type AgentEvent, encodeEvent, NO_STREAM, openPostgresLog, type StreamHead } from '#transcripts';
import { runProduct } from '../runtime/running-product.js';
import { systemInstruction } from '../runtime/workload.js';
import type { StreamAddress } from './subscribers.js';

/** A server of event streams in a process of its own, and the way to commit an event that its subscribers get. */
export interface Publisher {
  readonly name: string;
  readonly address: StreamAddress;
  readonly pid: number;
  /** Commits one event; resolves with its id once that is known. */
  publish(): Promise<string>;
  stop(): Promise<void>;
}

const context = { actor: 'key:bench', tenant: 'default' };
/** Some 400 bytes, as the facts of a run are. */
const text = 'A line of what a tool had to say. '.repeat(9);

/** An orchestrator that serves `/v1/events`, and appends of another process to the log that it reads. */
export async function startOrchestrator(databaseUrl: string): Promise<Publisher> {
  const product = await runProduct({ databaseUrl, modelBaseUrl: 'http://127.0.0.1:1/v1', workers: 0 });
  const log = await openPostgresLog({ url: databaseUrl });
  const stream = newId();
  let head: StreamHead = NO_STREAM;
  const append = async (fact: AgentEvent): Promise<string> => {
    const event = encodeEvent(fact, newId());
    const result = await log.store.append({ stream, expected: head, events: [event], context });
    if (!result.ok) throw new Error(`An append of the benchmark lost: ${result.reason}.`);
    head = result.head;
    return event.id;
  };
  await append(sessionOpened(stream));
  return {
    name: 'Offshoot',
    address: { url: `${product.address}/v1/events`, headers: { authorization: `Bearer ${product.key}` } },
    pid: product.orchestratorPid,
    publish: () => append(message()),
    stop: async () => {
      await log.close();
      await product.stop();
    },
  };
}

const message = (): AgentEvent => ({
  type: 'MessageAppended',
  data: {
    messageId: newId(),
    source: 'history',
    run: false,
    messages: [{ role: 'user', blocks: [{ type: 'text', text }] }],
  },
});

const sessionOpened = (sessionId: string): AgentEvent => ({
  type: 'SessionOpened',
  data: {
    sessionId,
    runtime: {
      ...{ projectRoot: '/', model: 'openai:bench', settings: '{}', systemInstruction, builtinTools: 'all' },
      ...{ mcpServers: '{}', declarations: null, approvalMode: 'default', workflowMode: 'build' },
      ...{ safeMode: false, bareMode: false, permissions: {} },
    },
    limits: {},
  },
});

const publishText = `with kept as (insert into bare_event (data) values ($1) returning data)
select pg_notify('bare_event', data) from kept`;

/**
 * The least that carries a commit to a browser: the row and its notification in one statement, and a process that writes what
 * it hears to every client at once. What was not heard is lost, and nothing is filtered.
 */
export async function startBareServer(databaseUrl: string): Promise<Publisher> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  await client.query(
    'create table bare_event (position bigint generated always as identity primary key, data text)',
  );
  const server = fork(join(import.meta.dirname, 'bare-sse-server.js'), [databaseUrl]);
  const [port] = (await once(server, 'message')) as [number];
  const data = message().data;
  return {
    name: 'LISTEN/NOTIFY to SSE, nothing resumable',
    address: { url: `http://127.0.0.1:${port}/`, headers: {} },
    pid: server.pid ?? 0,
    publish: async () => {
      const id = newId();
      const event = {
        specversion: '1.0',
        id,
        source: '/v1/agents',
        type: 'dev.offshoot.MessageAppended',
        data,
      };
      await client.query({ name: 'publish', text: publishText, values: [JSON.stringify(event)] });
      return id;
    },
    stop: async () => {
      const gone = once(server, 'exit');
      server.kill('SIGTERM');
      await gone;
      await client.end();
    },
  };
}
