import { randomBytes } from 'node:crypto';
import { v7 } from 'uuid';
import {
  type AgentEvent,
  encodeEvent,
  type NewEvent,
  type StreamHead,
  type TranscriptStore,
} from '#transcripts';
import { call, callKey, event, says } from '#transcripts/testing';

/** How long the transcript of an agent is to become. */
export interface LongAgent {
  /** Events of the whole stream, at least a few thousand. */
  readonly events: number;
  /** Bytes of payload of the whole stream. */
  readonly bytes: number;
  /** Bytes of the history that the last compaction leaves. */
  readonly liveBytes: number;
}

const perAppend = 600;
const turnsPerCompaction = 5_000;
/** Turns that a compaction leaves as they are. */
const keptTurns = 20;
/** Payload of a turn beside the result of its call. */
const restOfTurn = 640;
const run = { runId: '01890000-0000-7000-8000-00000000feed', workerId: 'lost' };

/**
 * Goes on with the transcript of a launched fork as a worker would have recorded it that was then lost: turns with a call and its
 * result each, compactions on the way, and in the end a call of which nobody knows whether it happened.
 */
export async function fillLongAgent(
  store: TranscriptStore,
  stream: string,
  { events, bytes, liveBytes }: LongAgent,
): Promise<void> {
  const writer = await LongStream.behind(store, stream);
  const turns = Math.floor((events - writer.version - 4) / (3 + 1 / turnsPerCompaction)) - 1;
  const perTurn = Math.floor(bytes / turns);
  const lastCompaction = turns - Math.floor(liveBytes / perTurn) + keptTurns;
  await writer.add(event.runStarted(run));
  for (let turn = 1; turn <= turns; turn += 1) {
    await writer.add(...turnOf(turn, textOf(turn, perTurn - restOfTurn)));
    if (turn === lastCompaction || (turn < lastCompaction && turn % turnsPerCompaction === 0))
      await writer.add(compaction(writer.version - 3 * keptTurns, turn));
  }
  const [asked, started] = turnOf(turns + 1, '');
  await writer.add(asked, started);
  while (writer.version < events - 1)
    await writer.add(event.messageQueued({ messageId: v7(), text: 'Go on when you can.' }));
  await writer.add(event.runInterrupted(run));
  await writer.flush();
}

function turnOf(turn: number, content: string): readonly [AgentEvent, AgentEvent, AgentEvent] {
  const path = JSON.stringify({ path: `src/part-${turn}.txt` });
  const key = callKey(0, turn);
  const name = 'read_file';
  return [
    event.turnRecorded({ turn, message: says(`Reading part ${turn}.`, call(name, key.providerId, path)) }),
    event.toolCallStarted({ call: key, name }),
    event.toolCallFinished({ call: key, name, content }),
  ];
}

function compaction(upTo: number, turn: number): AgentEvent {
  const text = `<system-reminder>\nThe parts before ${turn} were read.\n</system-reminder>`;
  return event.historyCompacted({ upTo, messages: [{ role: 'user', blocks: [{ type: 'text', text }] }] });
}

const pool = randomBytes(768 * 1024).toString('base64');

/** Text that no database stores in less than its length; of another place for each turn. */
function textOf(turn: number, length: number): string {
  const start = (turn * 7919) % (pool.length - length);
  return pool.slice(start, start + length);
}

/** Appends many events at a time to one stream. */
class LongStream {
  private waiting: NewEvent[] = [];

  private constructor(
    private readonly store: TranscriptStore,
    private readonly stream: string,
    private readonly tenant: string,
    private head: StreamHead,
  ) {}

  static async behind(store: TranscriptStore, stream: string): Promise<LongStream> {
    const last = (await store.readStream(stream)).events.at(-1);
    if (last === undefined) throw new Error(`There is no agent ${stream} to be made long.`);
    return new LongStream(store, stream, last.tenant, { version: last.version, hash: last.hash });
  }

  /** Where the stream stands with everything that was added. */
  get version(): number {
    return this.head.version + this.waiting.length;
  }

  async add(...events: readonly AgentEvent[]): Promise<void> {
    this.waiting.push(...events.map((fact) => encodeEvent(fact, v7())));
    if (this.waiting.length >= perAppend) await this.flush();
  }

  async flush(): Promise<void> {
    const [first, ...rest] = this.waiting.splice(0);
    if (first === undefined) return;
    const context = { actor: 'worker:lost', tenant: this.tenant };
    const { stream, head: expected } = this;
    const result = await this.store.append({ stream, expected, events: [first, ...rest], context });
    if (!result.ok)
      throw new Error(`Filling stream ${stream} lost an append at version ${expected.version}.`);
    this.head = result.head;
  }
}
