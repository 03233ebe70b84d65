import { z } from 'zod';

/** The format that is written. It carries the blobs that events name and the keys of commands; the one before did not, and is read still. */
export const portableFormat = 'offshoot-export-2';
/** The formats that are read; another one is refused, never guessed at. */
const readableFormats = ['offshoot-export-1', portableFormat] as const;

const agentId = z.string().regex(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
const hash = z.string().regex(/^[0-9a-f]{64}$/);
const count = z.int().min(0);

/** First line: what this file is and which log it was taken from. */
const ExportRecord = z.strictObject({
  record: z.literal('export'),
  format: z.enum(readableFormats),
  logId: z.string(),
  /** Trees that follow. */
  trees: count,
});

/** Opens a tree: its session and every agent below it, parents first, with how many events of each follow. */
const TreeRecord = z.strictObject({
  record: z.literal('tree'),
  root: agentId,
  agents: z.array(z.strictObject({ agentId, events: z.int().min(1) })).min(1),
});

/** An event as recorded, envelope and payload text. */
const EventRecord = z.strictObject({
  record: z.literal('event'),
  stream: agentId,
  version: z.int().min(1),
  id: z.string(),
  type: z.string(),
  schema: z.int(),
  actor: z.string(),
  tenant: z.string(),
  causation: z.string().exactOptional(),
  correlation: z.string().exactOptional(),
  trace: z.string().exactOptional(),
  recordedAt: z.string().regex(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{6}Z$/),
  previousHash: z.union([z.null(), hash]),
  hash,
  data: z.string(),
  /** The idempotency key of the command that recorded this and what follows in the same append. */
  command: z.strictObject({ key: z.string(), bodyHash: hash }).exactOptional(),
});

/**
 * A part of a blob: its parts stand in order, right before the event that names it first in its tree. All but the last one have the full
 * size.
 */
const BlobRecord = z.strictObject({
  record: z.literal('blob'),
  hash,
  part: count,
  parts: z.int().min(1),
  bytes: z.base64(),
});

/** In the place of a blob that was not there, or was damaged, when the file was written: the event that names it is whole without it. */
const LostBlobRecord = z.strictObject({
  record: z.literal('lost_blob'),
  hash,
  fault: z.enum(['missing', 'damaged']),
});

/**
 * The history that a fork inherited, in full, for readers of the file. An import goes by the pointer and its hash; `fault` says why
 * the history could not be read when the file was written.
 */
const AgentBootstrapRecord = z.strictObject({
  record: z.literal('agent_bootstrap'),
  agentId,
  parent: z.union([z.null(), z.strictObject({ agentId, version: z.int().min(1) })]),
  messages: z.union([z.null(), z.array(z.unknown())]),
  fault: z.string().exactOptional(),
});

/** Last line: what the whole file holds. A file without it is torn. */
const EndRecord = z.strictObject({
  record: z.literal('end'),
  trees: count,
  agents: count,
  events: count,
  /** Blobs carried, each once a tree; absent in files of the first format. */
  blobs: count.exactOptional(),
});

export const PortableRecord = z.discriminatedUnion('record', [
  ExportRecord,
  TreeRecord,
  EventRecord,
  BlobRecord,
  LostBlobRecord,
  AgentBootstrapRecord,
  EndRecord,
]);
export type PortableRecord = z.infer<typeof PortableRecord>;
export type PortableEvent = z.infer<typeof EventRecord>;
export type PortableBlob = z.infer<typeof BlobRecord>;
export type PortableLostBlob = z.infer<typeof LostBlobRecord>;
export type PortableFormat = (typeof readableFormats)[number];
export type PortableTree = z.infer<typeof TreeRecord>;
