import {
  decodeEvent,
  type EventData,
  isSound,
  namedBlobs,
  type PortableRecord,
  type RecordedClaim,
  type RecordedEvent,
  type SoundEvent,
  type TranscriptStore,
} from '#transcripts';
import { BootstrapUnreadableError, ChainBrokenError, inheritedMessages } from '../history/loaded-agent.js';
import { blobRecords } from './blob-records.js';
import type { TreeOutline } from './outline-trees.js';
import type { ExportSource } from './read-ahead.js';
import { StreamDamagedError } from './whole-trees.js';

/** How much of the blobs of a tree came along. */
export interface BlobCounts {
  blobs: number;
  lostBlobs: number;
}

/**
 * The records of one tree behind its first line: events as recorded with the keys of their commands, each blob once, right before the
 * event that names it first, and the history that each fork inherited, in full.
 */
export async function* treeRecords(
  { store, source }: { readonly store: TranscriptStore; readonly source: ExportSource },
  tree: TreeOutline,
  counts: BlobCounts,
): AsyncGenerator<PortableRecord, void> {
  const carried = new Set<string>();
  for (const { agentId, events } of tree.agents) {
    let forkTurns: 'all' | number = 'all';
    for await (const { event, claim } of eventsUpTo(source, agentId, events)) {
      yield* newBlobs(store, event, carried, counts);
      yield eventRecord(event, claim);
      // A launch stands in the first two records; nothing behind them needs to be read for its meaning.
      const fact = event.version <= 2 ? decodeEvent(event) : null;
      if (fact?.type === 'AgentLaunched') ({ forkTurns } = fact.data);
      if (fact?.type === 'BootstrapRecorded')
        yield await bootstrapRecord(source, agentId, fact.data, forkTurns);
    }
  }
}

async function* newBlobs(
  store: TranscriptStore,
  event: RecordedEvent,
  carried: Set<string>,
  counts: BlobCounts,
): AsyncGenerator<PortableRecord, void> {
  for (const hash of namedBlobs(event)) {
    if (carried.has(hash)) continue;
    carried.add(hash);
    const isThere = yield* blobRecords(store, hash);
    if (isThere) counts.blobs += 1;
    else counts.lostBlobs += 1;
  }
}

interface ExportedEvent {
  readonly event: SoundEvent;
  readonly claim: RecordedClaim | undefined;
}

async function* eventsUpTo(store: ExportSource, stream: string, upTo: number): AsyncGenerator<ExportedEvent> {
  for (let after: number | null = 0; after !== null && after < upTo;) {
    const page = await store.readStream(stream, after);
    const events = page.events.filter((event) => event.version <= upTo);
    const claims = await store.readClaims(stream, after, events.at(-1)?.version ?? after);
    const byVersion = new Map(claims.map((claim) => [claim.version, claim]));
    for (const event of events) yield { event: whole(event), claim: byVersion.get(event.version) };
    after = page.next;
  }
}

/** Throws `StreamDamagedError` for an event that nothing can be read out of: half a tree is worth less than none. */
function whole(event: RecordedEvent): SoundEvent {
  if (isSound(event)) return event;
  throw new StreamDamagedError(event);
}

function eventRecord(
  { place: _place, fault: _fault, ...event }: SoundEvent,
  claim: RecordedClaim | undefined,
): PortableRecord {
  const { key = '', bodyHash = '' } = claim ?? {};
  return { record: 'event', ...event, ...(claim === undefined ? {} : { command: { key, bodyHash } }) };
}

async function bootstrapRecord(
  store: ExportSource,
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
