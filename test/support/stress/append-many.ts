import { setTimeout as pause } from 'node:timers/promises';
import { v7 } from 'uuid';
import {
  type AppendRequest,
  type AppendResult,
  encodeEvent,
  openPostgresLog,
  type StreamHead,
  type TranscriptStore,
} from '#transcripts';

/** What a writing process is told, as JSON in its one argument. */
export interface AppendManyOrder {
  readonly url: string;
  readonly streams: readonly string[];
  readonly tenant: string;
  readonly appends: number;
  readonly writers: number;
  /** Which of the writing processes this is. */
  readonly process: number;
}

/**
 * A process that records one event in each of many appends, on streams that other processes write to as well, and prints
 * the id of each once its append was confirmed. What fails because the database is away is sent again, unchanged.
 */
async function main(order: AppendManyOrder): Promise<void> {
  const log = await openPostgresLog({ url: order.url, onError: () => undefined });
  const heads = new Map<string, StreamHead>();
  let next = 0;
  const write = async (): Promise<void> => {
    while (next < order.appends) {
      const number = next++;
      const stream = order.streams[(number * 7 + order.process * 13) % order.streams.length] ?? '';
      process.stdout.write(`${await recordOne(log.store, heads, { stream, order, number })}\n`);
    }
  };
  await Promise.all(Array.from({ length: order.writers }, write));
  await log.close();
}

interface One {
  readonly stream: string;
  readonly order: AppendManyOrder;
  readonly number: number;
}

async function recordOne(
  store: TranscriptStore,
  heads: Map<string, StreamHead>,
  { stream, order, number }: One,
): Promise<string> {
  const id = v7();
  const text = `append ${number} of process ${order.process}`;
  const messages = [{ role: 'user' as const, blocks: [{ type: 'text' as const, text }] }];
  const data = { messageId: id, source: 'history' as const, run: false, messages };
  const event = encodeEvent({ type: 'MessageAppended', data }, id);
  const context = { actor: `system:stress-${order.process}`, tenant: order.tenant };
  for (;;) {
    const expected = heads.get(stream) ?? (await readHead(store, stream, 1));
    const result = await settled(store, { stream, expected, events: [event], context });
    if (result.ok) {
      heads.set(stream, result.head);
      return id;
    }
    const version = result.reason === 'conflict' ? result.version : 1;
    heads.set(stream, await readHead(store, stream, version));
  }
}

/** Until the store has an answer: an append whose outcome is unknown may be sent again as it was. */
async function settled(store: TranscriptStore, request: AppendRequest): Promise<AppendResult> {
  for (;;) {
    try {
      return await store.append(request);
    } catch {
      await pause(50);
    }
  }
}

async function readHead(store: TranscriptStore, stream: string, version: number): Promise<StreamHead> {
  for (;;) {
    try {
      const [last] = (await store.readStream(stream, version - 1, 1)).events;
      if (last !== undefined) return { version: last.version, hash: last.hash };
    } catch {
      await pause(50);
    }
  }
}

void main(JSON.parse(process.argv[2] ?? '{}') as AppendManyOrder);
