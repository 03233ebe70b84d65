import {
  decodeEvent,
  type EventData,
  type PortableRecord,
  portableFormat,
  type RecordedEvent,
  sealLine,
  type TranscriptStore,
} from '#transcripts';
import { BootstrapUnreadableError, ChainBrokenError, inheritedMessages } from '../history/loaded-agent.js';
import { outlineTrees, type TreeOutline } from './outline-trees.js';

/** What an export holds when it is done. */
export interface ExportCounts {
  readonly trees: number;
  readonly agents: number;
  readonly events: number;
}

/** There is no session of this id to export. */
export class SessionNotFoundError extends Error {
  readonly code = 'SESSION_NOT_FOUND';
}

/**
 * The lines of a portable file: trees of agents as the log stood at one place when the export began, while it goes on. Events are
 * written as they were recorded; forks also get the history that they inherited, in full. Memory is bounded by a page of events and
 * one inherited history. Throws `SessionNotFoundError` before the first line.
 */
export async function* exportTrees(
  store: TranscriptStore,
  sessionId: string | null,
): AsyncGenerator<string, ExportCounts> {
  const trees = await treesOf(store, sessionId);
  yield line({
    record: 'export',
    format: portableFormat,
    logId: await store.logId(),
    trees: trees.length,
  });
  let [agents, events] = [0, 0];
  for (const tree of trees) {
    yield line({ record: 'tree', root: tree.root, agents: [...tree.agents] });
    for (const agent of tree.agents) {
      yield* agentLines(store, agent.agentId, agent.events);
      agents += 1;
      events += agent.events;
    }
  }
  const counts = { trees: trees.length, agents, events };
  yield line({ record: 'end', ...counts });
  return counts;
}

async function treesOf(store: TranscriptStore, sessionId: string | null): Promise<readonly TreeOutline[]> {
  const cut = await store.logEnd();
  const trees = cut === null ? [] : await outlineTrees(store, cut, sessionId);
  if (sessionId !== null && trees.length === 0)
    throw new SessionNotFoundError(`No session ${sessionId} exists in this log.`);
  return trees;
}

const line = (record: PortableRecord): string => `${sealLine(record)}\n`;

async function* agentLines(store: TranscriptStore, agentId: string, upTo: number): AsyncGenerator<string> {
  let forkTurns: 'all' | number = 'all';
  for await (const event of eventsUpTo(store, agentId, upTo)) {
    yield line(eventRecord(event));
    // A launch stands in the first two records; nothing behind them needs to be read for its meaning.
    const fact = event.version <= 2 ? decodeEvent(event) : null;
    if (fact?.type === 'AgentLaunched') ({ forkTurns } = fact.data);
    if (fact?.type === 'BootstrapRecorded')
      yield line(await bootstrapRecord(store, agentId, fact.data, forkTurns));
  }
}

async function* eventsUpTo(
  store: TranscriptStore,
  stream: string,
  upTo: number,
): AsyncGenerator<RecordedEvent> {
  for (let after: number | null = 0; after !== null && after < upTo;) {
    const page = await store.readStream(stream, after);
    yield* page.events.filter((event) => event.version <= upTo);
    after = page.next;
  }
}

function eventRecord({ place: _place, ...event }: RecordedEvent): PortableRecord {
  return { record: 'event', ...event };
}

async function bootstrapRecord(
  store: TranscriptStore,
  agentId: string,
  bootstrap: EventData<'BootstrapRecorded'>,
  forkTurns: 'all' | number,
): Promise<PortableRecord> {
  const { parent } = bootstrap;
  try {
    const messages = await inheritedMessages(store, bootstrap, forkTurns);
    return { record: 'agent_bootstrap', agentId, parent, messages: [...messages] };
  } catch (thrown) {
    // An export of a damaged log is still worth having; the damage is said and stays with the agent.
    if (!(thrown instanceof BootstrapUnreadableError || thrown instanceof ChainBrokenError)) throw thrown;
    return { record: 'agent_bootstrap', agentId, parent, messages: null, fault: thrown.message };
  }
}
