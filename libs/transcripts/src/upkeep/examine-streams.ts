import { absentAgent, type AgentMeta } from '../agent-meta/agent-meta.js';
import { evolve } from '../agent-meta/evolve.js';
import { decodeEvent } from '../events/event-codec.js';
import { NO_STREAM, type StreamHead } from '../events/recorded-event.js';
import { allFirstEvents } from '../store/all-first-events.js';
import { type ChainFault, verifyChain } from '../store/chain-verifier.js';
import type { StreamPage, TranscriptStore } from '../store/transcript-store.js';
import { BlobExaminer } from './examine-blobs.js';
import { type Finding, FindingKind } from './finding.js';

/** What was found out about one stream. */
export interface ExaminedStream {
  readonly meta: AgentMeta;
  /** Hashes of the blobs that its events name inside their payloads. */
  readonly namedBlobs: ReadonlySet<string>;
  readonly findings: readonly Finding[];
}

/**
 * Reads every stream of the log once: verifies its chain, folds it, looks whether its bootstrap still points at what it did and whether
 * the blobs that it names are there. Memory is bounded by one page. Streams that are longer by now are examined as long as they are found.
 */
export async function* examineStreams(store: TranscriptStore): AsyncGenerator<ExaminedStream, void> {
  for await (const { stream } of allFirstEvents(store)) yield await examineStream(store, stream);
}

async function examineStream(store: TranscriptStore, stream: string): Promise<ExaminedStream> {
  const blobs = new BlobExaminer(store);
  const { meta, damage } = await fold(store, stream, blobs);
  const findings = damage === null ? [unreadable(meta), await brokenBootstrap(store, meta)] : [damage];
  return {
    meta,
    namedBlobs: blobs.named,
    findings: [...findings.filter((found) => found !== null), ...blobs.findings],
  };
}

interface Folded {
  readonly meta: AgentMeta;
  /** What ended the fold before the stream did. */
  readonly damage: Finding | null;
}

async function fold(store: TranscriptStore, stream: string, blobs: BlobExaminer): Promise<Folded> {
  let meta = absentAgent(stream);
  let head: StreamHead = NO_STREAM;
  const damaged = (kind: FindingKind, detail: string): Folded => ({
    meta,
    damage: { kind, subject: stream, detail },
  });
  for (let after: number | null = 0; after !== null;) {
    const page: StreamPage = await store.readStream(stream, after);
    const verdict = verifyChain(page.events, head);
    if (!verdict.ok) return damaged(kindOf(verdict.fault), `${verdict.fault} at version ${verdict.version}`);
    for (const event of page.events) meta = evolve(meta, decodeEvent(event));
    await blobs.examine(page.events);
    head = verdict.head;
    after = page.next;
  }
  return { meta, damage: null };
}

function kindOf(fault: ChainFault): FindingKind {
  const isPayload = fault === 'payload_missing' || fault === 'payload_damaged';
  return isPayload ? FindingKind.payloadUnreadable : FindingKind.chainBroken;
}

function unreadable(meta: AgentMeta): Finding | null {
  if (meta.unreadablePolicy === null) return null;
  const detail = `an event of type ${meta.unreadablePolicy} cannot be read by this release`;
  return { kind: FindingKind.eventUnreadable, subject: meta.agentId, detail };
}

async function brokenBootstrap(store: TranscriptStore, meta: AgentMeta): Promise<Finding | null> {
  const { parent, digest } = meta.bootstrap ?? { parent: null, digest: null };
  if (parent === null) return null;
  const [event] = (await store.readStream(parent.agentId, parent.version - 1, 1)).events;
  if (event?.hash === digest) return null;
  // Both may have been archived since the agent was read.
  if (event === undefined && (await store.readHeads([meta.agentId])).size === 0) return null;
  const what = event === undefined ? 'is not there' : 'is not what it was';
  const detail = `version ${parent.version} of agent ${parent.agentId}, which it inherits from, ${what}`;
  return { kind: FindingKind.bootstrapBroken, subject: meta.agentId, detail };
}
