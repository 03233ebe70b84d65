import type { Pool, PoolClient } from 'pg';
import { absentAgent, type AgentMeta, hasEnded } from '../../agent-meta/agent-meta.js';
import { evolve } from '../../agent-meta/evolve.js';
import { decodeEvent, encodeEvent } from '../../events/event-codec.js';
import type { SoundEvent } from '../../events/recorded-event.js';
import type { BlobReference } from '../../store/transcript-store.js';
import { putBlob, putBlobPart } from '../../store/postgres/blobs.js';
import { inTransaction } from '../../store/postgres/in-transaction.js';
import { queryText } from '../../store/postgres/sql-client.js';
import { sealAppend } from '../../store/seal-append.js';
import { storeLimits } from '../../store/store-limits.js';
import type { FileBlobPart, FileEvent, FileRecord } from '../tree-records.js';
import { type ImportedEvent, insertRecorded } from './insert-recorded.js';
import { takenKeys } from './taken-keys.js';

export interface TreeToRecord {
  readonly pages: AsyncIterable<readonly FileRecord[]>;
  /** How many events of each agent to take; agents that are not named are left out. */
  readonly upTo: ReadonlyMap<string, number>;
  /** Agents whose events end too early: they are blocked, so that nothing runs on half a transcript by itself. */
  readonly torn: ReadonlySet<string>;
  readonly newId: () => string;
}

/** An event that was recorded without the key of its command, because another command has it here. */
export interface TakenKey {
  readonly agentId: string;
  readonly version: number;
}

/** A bootstrap of the tree points at a history that is not here as it was; nothing of the tree was recorded. */
export class BootstrapMissingError extends Error {
  readonly code = 'BOOTSTRAP_MISSING';
  constructor(
    readonly agentId: string,
    parentId: string,
    version: number,
  ) {
    super(
      `Agent ${agentId} inherits from agent ${parentId} at version ${version}, which is not here as it was.`,
    );
  }
}

interface Pointer {
  readonly agentId: string;
  readonly parentId: string;
  readonly version: number;
  readonly digest: string | null;
}

/**
 * Records a tree of agents as it was, with the blobs that its events name and the keys of its commands, in one transaction: all of it or
 * nothing. Answers the keys that could not be taken. Throws `BootstrapMissingError`, and what the database throws when a stream or a key
 * of it came to be meanwhile.
 */
export function recordTree(pool: Pool, tree: TreeToRecord): Promise<readonly TakenKey[]> {
  return inTransaction(pool, async (client) => {
    const pointers: Pointer[] = [];
    const metas = new Map<string, AgentMeta>();
    const taken: TakenKey[] = [];
    for await (const page of tree.pages) {
      for (const { hash, part, bytes } of page.filter(isBlobPart))
        await putBlobPart(client, hash, part, bytes);
      const events = page
        .filter(isEvent)
        .filter(({ event }) => event.version <= (tree.upTo.get(event.stream) ?? 0));
      taken.push(...(await recordEvents(client, events)));
      for (const { event } of events) note(event, tree.torn, pointers, metas);
    }
    for (const pointer of pointers) await checkPointer(client, pointer);
    const holds = [...metas.values()]
      .filter((meta) => !hasEnded(meta))
      .map((meta) => hold(meta, tree.newId()));
    if (holds.length > 0) await insertRecorded(client, holds, new Map());
    return taken;
  });
}

const isEvent = (record: FileRecord): record is FileEvent => record.kind === 'event';
const isBlobPart = (record: FileRecord): record is FileBlobPart => record.kind === 'blob';

async function recordEvents(client: PoolClient, found: readonly FileEvent[]): Promise<readonly TakenKey[]> {
  if (found.length === 0) return [];
  const taken = await takenKeys(client, found);
  const events = found.map((one) => ({ ...one.event, claim: taken.has(one) ? null : one.claim }));
  await insertRecorded(client, events, await putPayloads(client, events));
  return [...taken].map(({ event }) => ({ agentId: event.stream, version: event.version }));
}

function note(
  event: SoundEvent,
  torn: ReadonlySet<string>,
  pointers: Pointer[],
  metas: Map<string, AgentMeta>,
): void {
  const isTorn = torn.has(event.stream);
  if (!isTorn && event.type !== 'BootstrapRecorded') return;
  const decoded = decodeEvent(event);
  if (isTorn) metas.set(event.stream, evolve(metas.get(event.stream) ?? absentAgent(event.stream), decoded));
  if (decoded.type !== 'BootstrapRecorded' || decoded.data.parent === null) return;
  const { parent, digest } = decoded.data;
  pointers.push({ agentId: event.stream, parentId: parent.agentId, version: parent.version, digest });
}

const hashText = `select encode(hash, 'hex') as hash from event where stream = $1 and version = $2`;

async function checkPointer(client: PoolClient, pointer: Pointer): Promise<void> {
  const { agentId, parentId, version, digest } = pointer;
  const rows = await queryText<{ readonly hash: string }>(client, 'pointed-hash', hashText, [
    parentId,
    version,
  ]);
  if (rows[0] === undefined || rows[0].hash !== digest)
    throw new BootstrapMissingError(agentId, parentId, version);
}

async function putPayloads(
  client: PoolClient,
  events: readonly ImportedEvent[],
): Promise<ReadonlyMap<ImportedEvent, BlobReference>> {
  const blobs = new Map<ImportedEvent, BlobReference>();
  for (const event of events) {
    if (Buffer.byteLength(event.data) > storeLimits.inlineBytes)
      blobs.set(event, await putBlob(client, Buffer.from(event.data)));
  }
  return blobs;
}

/** The reason that holds back what was recovered from a torn file, until somebody revives it. */
const tornReason = 'import_torn';

function hold(meta: AgentMeta, id: string): ImportedEvent {
  const detail = `The file that this agent was imported from ends behind version ${meta.head.version}; revive it to go on from there.`;
  const event = encodeEvent({ type: 'RevivalBlocked', data: { reason: tornReason, detail } }, id);
  const context = { actor: 'system:import', tenant: meta.tenant };
  const sealed = sealAppend({ stream: meta.agentId, expected: meta.head, events: [event], context });
  return { ...sealed.events[0], ...context, stream: meta.agentId, recordedAt: null };
}
