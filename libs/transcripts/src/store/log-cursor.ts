import type { LogPlace } from '../events/recorded-event.js';
import { compareLogPlaces } from './log-place.js';

/**
 * Public cursors: a place of the log as text of a closed alphabet (base64url), with the identity of the log, so that
 * another log's cursor is told apart (spec 03 §2). 37 bytes: format 1, log id 16, generation 4, xid 8, position 8.
 */
const formatVersion = 1;
const sizeBytes = 37;
const alphabet = /^[A-Za-z0-9_-]{50}$/;
const largestPosition = 2n ** 63n - 1n;

/** `malformed`: no cursor of ours. `foreign`: of another log. `future`: behind the end of this log, so not its own. */
export type LogCursorFault = 'malformed' | 'foreign' | 'future';

export type LogCursorResult =
  { readonly ok: true; readonly place: LogPlace } | { readonly ok: false; readonly reason: LogCursorFault };

/** What a cursor is judged against: `TranscriptStore.logId()` and `TranscriptStore.logEnd()`. */
export interface LogExtent {
  readonly logId: string;
  readonly end: LogPlace | null;
}

export function formatLogCursor(logId: string, place: LogPlace): string {
  const bytes = Buffer.alloc(sizeBytes);
  bytes.writeUInt8(formatVersion, 0);
  bytes.write(logId.replaceAll('-', ''), 1, 'hex');
  bytes.writeUInt32BE(place.generation, 17);
  bytes.writeBigUInt64BE(place.xid, 21);
  bytes.writeBigUInt64BE(place.position, 29);
  return bytes.toString('base64url');
}

/** Reads a cursor that a client sent back. Everything but a place of this very log is an answer of its own. */
export function parseLogCursor(text: unknown, { logId, end }: LogExtent): LogCursorResult {
  const bytes = decode(text);
  const place = bytes === null ? null : placeIn(bytes);
  if (bytes === null || place === null) return fault('malformed');
  if (bytes.toString('hex', 1, 17) !== logId.replaceAll('-', '')) return fault('foreign');
  if (end === null || compareLogPlaces(place, end) > 0) return fault('future');
  return { ok: true, place };
}

function decode(text: unknown): Buffer | null {
  if (typeof text !== 'string' || !alphabet.test(text)) return null;
  const bytes = Buffer.from(text, 'base64url');
  // The last character has bits to spare: only the spelling that we write is ours.
  return bytes[0] === formatVersion && bytes.toString('base64url') === text ? bytes : null;
}

function placeIn(bytes: Buffer): LogPlace | null {
  const generation = bytes.readUInt32BE(17);
  const position = bytes.readBigUInt64BE(29);
  if (generation === 0 || position > largestPosition) return null;
  return { generation, xid: bytes.readBigUInt64BE(21), position };
}

function fault(reason: LogCursorFault): LogCursorResult {
  return { ok: false, reason };
}
