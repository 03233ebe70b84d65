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
  const head = JSON.stringify([
    'offshoot-chain-1',
    link.previousHash,
    link.stream,
    link.version,
    event.id,
    event.type,
    event.schema,
    context.actor,
    context.tenant,
    context.causation ?? null,
    context.correlation ?? null,
    context.trace ?? null,
  ]);
  return hash('sha256', `${head}\n${event.data}`, 'hex');
}
