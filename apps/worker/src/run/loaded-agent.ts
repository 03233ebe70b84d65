import { HistoryBuilder, inheritedHistory } from '#agents';
import {
  absentAgent,
  type AgentMeta,
  decodeEvent,
  evolve,
  type EventData,
  type Message,
  type RecordedEvent,
  type TranscriptStore,
} from '#transcripts';

/** An agent as read from the log alone: its facts and its conversation. */
export interface LoadedAgent {
  meta: AgentMeta;
  readonly history: HistoryBuilder;
}

/** A fork's history cannot be read as it was when it was launched; its agent is blocked, never run on something else. */
export class BootstrapUnreadableError extends Error {
  readonly code = 'BOOTSTRAP_UNREADABLE';
}

/** How deep pointers may go: a fork of a fork's transcript points once more, and no launch nests deeper than this. */
const maxPointerDepth = 32;

/** Folds a transcript into meta and messages, page by page; the inherited prefix comes from where its bootstrap points. */
export async function loadAgent(store: TranscriptStore, agentId: string): Promise<LoadedAgent> {
  return foldStream(store, agentId, Number.MAX_SAFE_INTEGER, 0);
}

/** Continues a fold with what others recorded since. Returns the events that were new. */
export async function catchUp(store: TranscriptStore, loaded: LoadedAgent): Promise<void> {
  for await (const record of pagesOf(store, loaded.meta.agentId, loaded.meta.head.version))
    addTo(loaded, record);
}

async function foldStream(
  store: TranscriptStore,
  agentId: string,
  upTo: number,
  depth: number,
): Promise<LoadedAgent> {
  if (depth > maxPointerDepth)
    throw new BootstrapUnreadableError('The chain of inherited histories is too deep.');
  let loaded: LoadedAgent = { meta: absentAgent(agentId), history: new HistoryBuilder() };
  for await (const record of pagesOf(store, agentId, 0)) {
    if (record.version > upTo) break;
    const event = addTo(loaded, record);
    if (event.type !== 'BootstrapRecorded') continue;
    const forkTurns = loaded.meta.launch?.forkTurns ?? 'all';
    loaded = {
      meta: loaded.meta,
      history: new HistoryBuilder(await inherit(store, event.data, forkTurns, depth)),
    };
  }
  return loaded;
}

async function inherit(
  store: TranscriptStore,
  bootstrap: EventData<'BootstrapRecorded'>,
  forkTurns: 'all' | number,
  depth: number,
): Promise<readonly Message[]> {
  const { parent } = bootstrap;
  if (parent === null) return [];
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

async function* pagesOf(store: TranscriptStore, stream: string, from: number): AsyncGenerator<RecordedEvent> {
  let after: number | null = from;
  while (after !== null) {
    const page = await store.readStream(stream, after);
    yield* page.events;
    after = page.next;
  }
}
