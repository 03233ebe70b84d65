import { textOfMessage } from '#transcripts';
import type {
  AssistantMessage,
  CallKey,
  EventData,
  EventName,
  Message,
  ReadEvent,
  ResultBlock,
} from '#transcripts';

/** The conversation that one transcript amounts to, and the batch that is still being answered at its end. */
export interface History {
  readonly messages: readonly Message[];
  readonly openBatch: OpenBatch | null;
  /** How many of the messages, from the first, each ancestor handed on, the farthest ancestor first. */
  readonly inheritedLengths: readonly number[];
}

/** What an agent begins with. */
export type Inherited = Pick<History, 'messages' | 'inheritedLengths'>;

export interface OpenBatch {
  readonly turn: number;
  readonly message: AssistantMessage;
  /** Results so far, by the index of their call. */
  readonly results: ReadonlyMap<number, ResultBlock>;
}

interface Batch extends OpenBatch {
  readonly version: number;
  readonly results: Map<number, ResultBlock>;
  readonly calls: number;
}

/** A message with the version of the event that it came from; 0 for what was inherited. */
export interface PlacedMessage {
  readonly version: number;
  readonly message: Message;
}

/** What a model is told when the tools are not those of its last turns any more (spec 03 §4): the same bytes whatever changed. */
export const toolsChangedNote: Message = {
  role: 'user',
  blocks: [
    {
      type: 'text',
      text: '<system-reminder>The tools have changed since. The tools declared now, as they are declared now, are the only ones there are, whatever was said or called before.</system-reminder>',
    },
  ],
};

/** What stands where a message was discarded: one for all. */
const discarded: { readonly [R in Message['role']]: Message } = {
  user: { role: 'user', blocks: [] },
  assistant: { role: 'assistant', blocks: [] },
  tool: { role: 'tool', blocks: [] },
};

/**
 * Folds events, in the order of their stream, into messages. Results stand in the order of their calls, whatever
 * order they were recorded in; what arrives while a batch is open stands behind its results. Appends to an array
 * of its own: a history can be long, and this runs once per event.
 */
export class HistoryBuilder {
  private placed: PlacedMessage[] = [];
  private batch: Batch | null = null;
  private deferred: PlacedMessage[] = [];
  private note: PlacedMessage | null = null;
  private readonly queued = new Map<string, string>();
  private inheritedLengths: readonly number[] = [];
  private compacted = false;
  private discardedUpTo = 0;

  /** True once a compaction took the place of everything inherited. */
  get isCompacted(): boolean {
    return this.compacted;
  }

  /** What was said so far, with the places that a compaction may name. Later events do not change what was returned. */
  get places(): readonly PlacedMessage[] {
    return this.placed.slice();
  }

  /**
   * Keeps of what came from events up to `upTo` the order and no content, of what is here and of what is still to be added: a
   * compaction further on in the same transcript takes its place. So a history needs the room of what is left of it.
   */
  discard(upTo: number): void {
    this.discardedUpTo = upTo;
    this.placed = this.placed.map(({ version, message }) => ({
      version,
      message: this.kept(message, version),
    }));
  }

  /** Puts what was inherited in front of everything. */
  inherit({ messages, inheritedLengths }: Inherited): void {
    this.placed = [...messages.map((message) => ({ version: 0, message })), ...this.placed];
    this.inheritedLengths = inheritedLengths;
  }

  add(event: ReadEvent): void {
    if (event.type === 'unknown' || event.type === 'damaged') return;
    // The table is keyed by the same name as the data; TypeScript cannot follow that correlation.
    const step = steps[event.type] as Step<unknown> | undefined;
    step?.(this, event.data, event.record);
  }

  /** The history so far. Later events do not change what was returned. */
  build(): History {
    const { batch, inheritedLengths } = this;
    return {
      inheritedLengths,
      messages: this.placed.map(({ message }) => message),
      openBatch:
        batch === null ? null : { turn: batch.turn, message: batch.message, results: new Map(batch.results) },
    };
  }

  /** The texts of messages that were accepted and not delivered yet are kept until their delivery is recorded. */
  queue(id: string, text: string): void {
    this.queued.set(id, text);
  }

  deliver(ids: readonly string[], version: number): void {
    const texts = ids.map((id) => this.queued.get(id)).filter((text) => text !== undefined);
    for (const id of ids) this.queued.delete(id);
    if (texts.length === 0) return;
    this.append([{ role: 'user', blocks: texts.map((text) => ({ type: 'text', text })) }], version);
  }

  append(messages: readonly Message[], version: number): void {
    this.placeNote();
    for (const message of messages)
      this.place(message, version, this.batch === null ? this.placed : this.deferred);
  }

  /** The tools changed. Asks for nothing: behind a last word of the model it waits until something is said to the model again. */
  noteChange(version: number): void {
    this.note = { version, message: toolsChangedNote };
    if (this.batch !== null || this.placed.at(-1)?.message.role !== 'assistant') this.placeNote();
  }

  private placeNote(): void {
    const { note } = this;
    this.note = null;
    const place = this.batch === null ? this.placed : this.deferred;
    if (note !== null && place.at(-1)?.message !== toolsChangedNote) place.push(note);
  }

  openTurn(turn: number, message: AssistantMessage, version: number): void {
    this.place(message, version);
    const calls = message.blocks.filter((block) => block.type === 'call').length;
    if (calls > 0) this.batch = { turn, message, version, results: new Map(), calls };
  }

  answer(call: CallKey, result: ResultBlock, version: number): void {
    const { batch } = this;
    // The first recorded result of a call is its answer; there is no second one.
    if (batch?.turn !== call.turn || batch.results.has(call.index)) return;
    batch.results.set(call.index, result);
    if (batch.results.size < batch.calls) return;
    const blocks = [...batch.results].sort(([a], [b]) => a - b).map(([, block]) => block);
    this.place({ role: 'tool', blocks }, version);
    this.batch = null;
    this.placed.push(...this.deferred.splice(0));
  }

  /** Puts `messages` in the place of everything that came from events up to `upTo`; what came later stays behind them. */
  replace(messages: readonly Message[], upTo: number): void {
    const kept = this.placed.filter(({ version }) => version > upTo);
    this.inheritedLengths = [];
    this.compacted = true;
    this.placed = [...messages.map((message) => ({ version: upTo, message })), ...kept];
    if (this.batch === null || this.batch.version > upTo) return;
    this.batch = null;
    this.placed.push(...this.deferred.splice(0).filter(({ version }) => version > upTo));
  }

  private place(message: Message, version: number, where: PlacedMessage[] = this.placed): void {
    where.push({ version, message: this.kept(message, version) });
  }

  private kept(message: Message, version: number): Message {
    return version > this.discardedUpTo || message === toolsChangedNote ? message : discarded[message.role];
  }
}

interface Source {
  readonly id: string;
  readonly version: number;
}

type Step<D> = (builder: HistoryBuilder, data: D, source: Source) => void;
type Steps = { readonly [N in EventName]?: Step<EventData<N>> };

const steps: Steps = {
  MessageAppended: (builder, data, { version }) => {
    if (!data.run) builder.append(data.messages, version);
    else builder.queue(data.messageId, data.messages.map(textOfMessage).join('\n\n'));
  },
  LaunchPromptRecorded: (builder, data, { version }) => {
    builder.append([{ role: 'user', blocks: [{ type: 'text', text: data.text }] }], version);
  },
  RunStarted: (builder, data, { version }) => {
    if (data.surface.drift !== null) builder.noteChange(version);
  },
  SurfaceChanged: (builder, data, { version }) => {
    if (data.surface.drift !== null) builder.noteChange(version);
  },
  TurnRecorded: (builder, data, { version }) => {
    if (data.message.role === 'assistant') builder.openTurn(data.turn, data.message, version);
  },
  ToolCallRefused: (builder, data, { version }) => {
    builder.answer(data.call, resultBlock(data, data.response, true), version);
  },
  ToolCallFinished: (builder, data, { version }) => {
    builder.answer(data.call, resultBlock(data, data.content, data.outcome !== 'ok'), version);
  },
  MessageQueued: (builder, data) => {
    builder.queue(data.messageId, data.text);
  },
  OutcomeDelivered: (builder, data, { id }) => {
    // One that a call waited for stands in the history as the result of that call.
    if (data.call === undefined) builder.queue(id, data.text);
  },
  MessageDelivered: (builder, data, { version }) => {
    builder.deliver(data.messageIds, version);
  },
  HistoryCompacted: (builder, data) => {
    builder.replace(data.messages, data.upTo);
  },
};

function resultBlock(
  data: { call: { providerId: string }; name: string },
  content: string,
  isError: boolean,
): ResultBlock {
  return { type: 'result', callId: data.call.providerId, name: data.name, content, isError };
}
