import { textOfMessage } from '#transcripts';
import type {
  AssistantMessage,
  DecodedEvent,
  EventData,
  EventName,
  Message,
  ResultBlock,
  UnknownEvent,
} from '#transcripts';

/** The conversation that one transcript amounts to, and the batch that is still being answered at its end. */
export interface History {
  readonly messages: readonly Message[];
  readonly openBatch: OpenBatch | null;
}

export interface OpenBatch {
  readonly turn: number;
  readonly message: AssistantMessage;
  /** Results so far, by the index of their call. */
  readonly results: ReadonlyMap<number, ResultBlock>;
}

type Append = (messages: readonly Message[]) => void;

/**
 * Folds events, in the order of their stream, into messages. Results stand in the order of their calls, whatever
 * order they were recorded in; what arrives while a batch is open stands behind its results. Appends to an array
 * of its own: a history can be long, and this runs once per event.
 */
export class HistoryBuilder {
  private messages: Message[];
  private batch: {
    turn: number;
    message: AssistantMessage;
    results: Map<number, ResultBlock>;
    calls: number;
  } | null = null;
  private deferred: Message[] = [];
  private readonly queued = new Map<string, string>();

  constructor(inherited: readonly Message[] = []) {
    this.messages = [...inherited];
  }

  add(event: DecodedEvent | UnknownEvent): void {
    if (event.type === 'unknown') return;
    const step = steps[event.type] as
      ((builder: HistoryBuilder, data: unknown, recordId: string) => void) | undefined;
    step?.(this, event.data, event.record.id);
  }

  /** The history so far. Later events do not change what was returned. */
  build(): History {
    const { batch } = this;
    return {
      messages: [...this.messages],
      openBatch:
        batch === null ? null : { turn: batch.turn, message: batch.message, results: new Map(batch.results) },
    };
  }

  /** The texts of messages that were accepted and not delivered yet are kept until their delivery is recorded. */
  queue(id: string, text: string): void {
    this.queued.set(id, text);
  }

  deliver(ids: readonly string[]): void {
    const texts = ids.map((id) => this.queued.get(id)).filter((text) => text !== undefined);
    for (const id of ids) this.queued.delete(id);
    if (texts.length === 0) return;
    this.append([{ role: 'user', blocks: texts.map((text) => ({ type: 'text', text })) }]);
  }

  append: Append = (messages) => {
    (this.batch === null ? this.messages : this.deferred).push(...messages);
  };

  openTurn(turn: number, message: AssistantMessage): void {
    this.messages.push(message);
    const calls = message.blocks.filter((block) => block.type === 'call').length;
    if (calls > 0) this.batch = { turn, message, results: new Map(), calls };
  }

  answer(index: number, result: ResultBlock): void {
    const { batch } = this;
    // The first recorded result of a call is its answer; there is no second one.
    if (batch === null || batch.results.has(index)) return;
    batch.results.set(index, result);
    if (batch.results.size < batch.calls) return;
    const blocks = [...batch.results.entries()].sort(([a], [b]) => a - b).map(([, block]) => block);
    this.messages.push({ role: 'tool', blocks });
    this.batch = null;
    this.messages.push(...this.deferred.splice(0));
  }

  replace(messages: readonly Message[]): void {
    this.messages = [...messages];
    this.batch = null;
  }
}

type Steps = {
  readonly [N in EventName]?: (builder: HistoryBuilder, data: EventData<N>, recordId: string) => void;
};

const steps: Steps = {
  MessageAppended: (builder, data) => {
    if (!data.run) builder.append(data.messages);
    else builder.queue(data.messageId, data.messages.map(textOfMessage).join('\n\n'));
  },
  LaunchPromptRecorded: (builder, data) =>
    builder.append([{ role: 'user', blocks: [{ type: 'text', text: data.text }] }]),
  TurnRecorded: (builder, data) => {
    if (data.message.role === 'assistant') builder.openTurn(data.turn, data.message);
  },
  ToolCallRefused: (builder, data) => builder.answer(data.call.index, resultBlock(data, data.response, true)),
  ToolCallFinished: (builder, data) =>
    builder.answer(data.call.index, resultBlock(data, data.content, data.outcome !== 'ok')),
  MessageQueued: (builder, data) => builder.queue(data.messageId, data.text),
  OutcomeDelivered: (builder, data, recordId) => builder.queue(recordId, data.text),
  MessageDelivered: (builder, data) => builder.deliver(data.messageIds),
  HistoryCompacted: (builder, data) => builder.replace(data.messages),
};

function resultBlock(
  data: { call: { providerId: string }; name: string },
  content: string,
  isError: boolean,
): ResultBlock {
  return { type: 'result', callId: data.call.providerId, name: data.name, content, isError };
}
