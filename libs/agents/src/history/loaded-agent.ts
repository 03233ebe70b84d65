import {
  absentAgent,
  type AgentMeta,
  decodeEvent,
  type EventData,
  evolve,
  KeptFolds,
  type Message,
  NO_STREAM,
  type RecordedEvent,
  type StreamHead,
  type StreamPage,
  type TranscriptStore,
  verifyChain,
} from '#transcripts';
import { HistoryBuilder, type Inherited } from '../pure/history-builder.js';
import { inheritedHistory } from '../pure/inherited-history.js';

/** What a transcript is read from. */
type StreamSource = Pick<TranscriptStore, 'readStream' | 'readLast'>;

/** An agent as read from the log alone: its facts and its conversation. */
export interface LoadedAgent {
  meta: AgentMeta;
  readonly history: HistoryBuilder;
}

/** A fork's history cannot be read as it was when it was launched; its agent is blocked, never run on something else. */
export class BootstrapUnreadableError extends Error {
  readonly code = 'BOOTSTRAP_UNREADABLE';
}

/** A recorded event is not what was recorded: nothing of this stream may run (spec 03 §1). */
export class ChainBrokenError extends Error {
  readonly code = 'CHAIN_BROKEN';
  constructor(stream: string, version: number, fault: string) {
    super(`The stream of agent ${stream} does not verify at version ${version}: ${fault}.`);
  }
}

/** How deep pointers may go: a fork of a fork's transcript points once more, and no launch nests deeper than this. */
const maxPointerDepth = 32;

/** Folds a transcript into meta and messages, page by page; the inherited prefix comes from where its bootstrap points. */
export async function loadAgent(store: StreamSource, agentId: string): Promise<LoadedAgent> {
  const loaded = await loadOwn(store, agentId);
  await inheritInto(store, loaded);
  return loaded;
}

/** The same without what was inherited: whatever a claim decides, it decides on the agent's own events. */
export async function loadOwn(store: StreamSource, agentId: string): Promise<LoadedAgent> {
  return foldOwn(store, agentId, Number.MAX_SAFE_INTEGER);
}

/** Puts what was inherited in front of what was loaded; throws `BootstrapUnreadableError` or `ChainBrokenError`. */
export async function inheritInto(store: StreamSource, loaded: LoadedAgent): Promise<void> {
  await inheritAt(store, loaded, 0);
}

/** Where a process asks for the metas of sessions. */
export type KeptMetas = KeptFolds<AgentMeta>;

/** Folds of transcripts into their meta alone, verified like a run's own; throws `ChainBrokenError`. */
export function keptMetas(store: StreamSource): KeptMetas {
  return new KeptFolds(store, {
    begin: absentAgent,
    headOf: ({ head }) => head,
    add: (meta, events) => {
      assertChain(meta.agentId, events, meta.head);
      return events.reduce((folded, record) => evolve(folded, decodeEvent(record)), meta);
    },
  });
}

/** Continues a fold with what others recorded since. */
export async function catchUp(store: StreamSource, loaded: LoadedAgent): Promise<void> {
  for await (const record of eventsOf(store, loaded.meta.agentId, loaded.meta.head)) addTo(loaded, record);
}

async function foldStream(
  store: StreamSource,
  agentId: string,
  upTo: number,
  depth: number,
): Promise<LoadedAgent> {
  if (depth > maxPointerDepth)
    throw new BootstrapUnreadableError('The chain of inherited histories is too deep.');
  const loaded = await foldOwn(store, agentId, upTo);
  await inheritAt(store, loaded, depth);
  return loaded;
}

async function foldOwn(store: StreamSource, agentId: string, upTo: number): Promise<LoadedAgent> {
  const loaded: LoadedAgent = { meta: absentAgent(agentId), history: new HistoryBuilder() };
  await foldPages(store, loaded, upTo);
  return loaded;
}

async function inheritAt(store: StreamSource, loaded: LoadedAgent, depth: number): Promise<void> {
  const { bootstrap, launch } = loaded.meta;
  // What a compaction took the place of is not read at all.
  if (bootstrap !== null && !loaded.history.isCompacted)
    loaded.history.inherit(await inherit(store, bootstrap, launch?.forkTurns ?? 'all', depth));
}

async function foldPages(store: StreamSource, loaded: LoadedAgent, upTo: number): Promise<void> {
  const { agentId } = loaded.meta;
  for await (const page of pagesOf(store, agentId, NO_STREAM)) {
    for (const record of page.events) if (record.version <= upTo) addTo(loaded, record);
    const { version: behind } = loaded.meta.head;
    if (page.next === null || behind >= upTo) return;
    // More than one page: what a compaction further on takes the place of must not be held meanwhile.
    if (page.isFirst) loaded.history.discard(await replacedLater(store, agentId, { behind, upTo }));
  }
}

/** The messages that a bootstrap stands for; throws `BootstrapUnreadableError` when they are no longer what they were. */
export async function inheritedMessages(
  store: StreamSource,
  bootstrap: EventData<'BootstrapRecorded'>,
  forkTurns: 'all' | number,
): Promise<readonly Message[]> {
  return (await inherit(store, bootstrap, forkTurns, 0)).messages;
}

async function inherit(
  store: StreamSource,
  bootstrap: EventData<'BootstrapRecorded'>,
  forkTurns: 'all' | number,
  depth: number,
): Promise<Inherited> {
  const { parent } = bootstrap;
  if (parent === null) return { messages: [], inheritedLengths: [] };
  const source = await foldStream(store, parent.agentId, parent.version, depth + 1);
  if (source.meta.head.version !== parent.version || source.meta.head.hash !== bootstrap.digest) {
    throw new BootstrapUnreadableError(
      `The history of agent ${parent.agentId} is not what it was at version ${parent.version}.`,
    );
  }
  return inheritedHistory(source.history.build(), forkTurns);
}

function addTo(loaded: LoadedAgent, record: RecordedEvent) {
  const event = decodeEvent(record);
  loaded.meta = evolve(loaded.meta, event);
  loaded.history.add(event);
  return event;
}

/** Every event behind a head, each verified as part of the chain before anything is folded from it. */
async function* eventsOf(
  store: StreamSource,
  stream: string,
  from: StreamHead,
): AsyncGenerator<RecordedEvent> {
  for await (const page of pagesOf(store, stream, from)) yield* page.events;
}

interface VerifiedPage extends StreamPage {
  readonly isFirst: boolean;
}

async function* pagesOf(store: StreamSource, stream: string, from: StreamHead): AsyncGenerator<VerifiedPage> {
  let head = from;
  let after: number | null = from.version;
  while (after !== null) {
    const page = await store.readStream(stream, after);
    head = assertChain(stream, page.events, head);
    yield { ...page, isFirst: after === from.version };
    after = page.next;
  }
}

/** Answers the head behind the events; throws where they do not continue the stream that stood at `head`. */
function assertChain(stream: string, events: readonly RecordedEvent[], head: StreamHead): StreamHead {
  const verdict = verifyChain(events, head);
  if (!verdict.ok) throw new ChainBrokenError(stream, verdict.version, verdict.fault);
  return verdict.head;
}

/** Up to which version the last compaction between two versions replaces the history; 0 where there is none. */
async function replacedLater(
  store: StreamSource,
  stream: string,
  { behind, upTo }: { readonly behind: number; readonly upTo: number },
): Promise<number> {
  const last = await store.readLast(stream, 'HistoryCompacted', upTo);
  const event = last === null || last.version <= behind ? null : decodeEvent(last);
  return event?.type === 'HistoryCompacted' ? event.data.upTo : 0;
}
