import { hash } from 'node:crypto';
import type { EventContext, NewEvent } from '../events/recorded-event.js';

/** Where an event stands in its stream. */
export interface ChainLink {
  readonly stream: string;
  readonly version: number;
  /** Lower-case hex, `null` for version 1. */
  readonly previousHash: string | null;
}

/**
 * The hash of an event: SHA-256 in lower-case hex over a head and the payload text (spec 03 §1). The head is the
 * JSON array of a format name, previous hash, stream, version, id, type, schema, actor, tenant, causation,
 * correlation and trace, absent ones as null, followed by one line feed. JSON text of strings and numbers holds no
 * raw line feed, so head and payload cannot be shifted against each other.
 */
export function chainHash(link: ChainLink, event: NewEvent, context: EventContext): string {
  // The text of JSON.stringify, put together by hand: every event that is written or read is hashed.
  const where = `${json(link.previousHash)},${json(link.stream)},${link.version}`;
  const what = `${json(event.id)},${json(event.type)},${event.schema}`;
  const { actor, tenant, causation, correlation, trace } = context;
  const who = `${json(actor)},${json(tenant)},${json(causation)},${json(correlation)},${json(trace)}`;
  return hash('sha256', `["offshoot-chain-1",${where},${what},${who}]\n${event.data}`, 'hex');
}

/** Texts that JSON writes as they are. */
const plain = /^[\w:.@/ -]*$/;

function json(text: string | null | undefined): string {
  if (text === null || text === undefined) return 'null';
  return plain.test(text) ? `"${text}"` : JSON.stringify(text);
}
